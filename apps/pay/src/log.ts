// A full disk or a closed pipe must not end the page; without a listener the error of a write would.
process.stderr.on("error", () => undefined);

/**
 * One JSON line in pino's shape, so that the logs of all services read alike. Callers pass no secret, no form field
 * and no header.
 */
export function logError(message: string, details: Record<string, string | number>): void {
  process.stderr.write(
    `${JSON.stringify({ level: 50, time: Date.now(), name: "pay", ...details, msg: message })}\n`,
  );
}
