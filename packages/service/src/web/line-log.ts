// Without a listener, a write error (full disk, closed pipe) would end the process.
process.stderr.on("error", () => undefined);

export type LogFields = Record<string, string | number>;

/** Creates a log of JSON lines in pino's format, which all services use. Callers must not pass secrets, form fields or headers. */
export const createLineLog = (name: string) => {
  const write = (level: number, message: string, details: LogFields): void => {
    process.stderr.write(`${JSON.stringify({ level, time: Date.now(), name, ...details, msg: message })}\n`);
  };
  return {
    /** Logs a condition to investigate although everything works. */
    logWarning: (message: string, details: LogFields): void => write(40, message, details),
    logError: (message: string, details: LogFields): void => write(50, message, details),
  };
};
