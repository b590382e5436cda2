import { type Logger, pino } from "pino";

/** The most bytes that wait while the disk is full; more are dropped, so that memory stays bounded. */
const MAX_WAITING_BYTES = 1_048_576;
const STANDARD_OUTPUT = 1;

export type LogOptions = {
  /** The service, on every line. */
  name?: string;
  level: string;
  /** Paths of fields that are never written. */
  redact?: string[];
  /** File descriptor to write to. Default: standard output. */
  descriptor?: number;
};

/**
 * A service's log: JSON lines. A log that cannot be written (a full disk, a closed pipe) never ends the service: lines wait
 * up to a limit, then they are dropped, and the first line that can be written again says how many.
 */
export function createLog({ name, level, redact = [], descriptor = STANDARD_OUTPUT }: LogOptions): Logger {
  const destination = pino.destination({ dest: descriptor, sync: true, maxLength: MAX_WAITING_BYTES });
  const log = pino({ ...(name === undefined ? {} : { name }), level, redact }, destination);
  let dropped = 0;
  // Without a listener the error of a write would end the process.
  destination.on("error", () => undefined);
  destination.on("drop", () => {
    dropped += 1;
  });
  destination.on("drain", () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    log.warn({ lines }, "lines of this log were dropped because it could not be written");
  });
  return log;
}
