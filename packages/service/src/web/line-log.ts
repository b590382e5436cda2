// Without a listener a write error (full disk, closed pipe) would end the process.
process.stderr.on("error", () => undefined);

export type LogFields = Record<string, string | number>;

/** A log of JSON lines in pino's shape, so that the logs of all services read alike. Callers pass no secret, no form field and no header. */
export const createLineLog = (name: string) => {
  const write = (level: number, message: string, details: LogFields): void => {
    process.stderr.write(`${JSON.stringify({ level, time: Date.now(), name, ...details, msg: message })}\n`);
  };
  return {
    /** For something to look into although everything works. */
    logWarning: (message: string, details: LogFields): void => write(40, message, details),
    logError: (message: string, details: LogFields): void => write(50, message, details),
  };
};
