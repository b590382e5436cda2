// A full disk or a closed pipe must not end the page. Without a listener a write error would.
process.stderr.on("error", () => undefined);

/** A warning: something to look into although everything works. The same rules as for errors. */
export function logWarning(message: string, details: Record<string, string | number>): void {
  write(40, message, details);
}

/**
 * One JSON line in pino's shape, so that the logs of all services read alike. Callers pass no secret, no form field
 * and no header.
 */
export function logError(message: string, details: Record<string, string | number>): void {
  write(50, message, details);
}

function write(level: number, message: string, details: Record<string, string | number>): void {
  process.stderr.write(
    `${JSON.stringify({ level, time: Date.now(), name: "pay", ...details, msg: message })}\n`,
  );
}
