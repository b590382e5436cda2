import { type Logger, pino } from "pino";

/** Limit of the buffer for lines while the log cannot be written. Further lines are dropped. */
const MAX_WAITING_BYTES = 1_048_576;
const STANDARD_OUTPUT = 1;

export type LogOptions = {
  /** Included in every line. */
  name?: string;
  level: string;
  /** Paths of fields that are never written. */
  redact?: string[];
  /** Default: standard output. */
  descriptor?: number;
};

/**
 * Creates a log of JSON lines. While the log cannot be written (full disk, closed pipe), lines are buffered up to a limit and then dropped. Once
 * writing works again, the number of dropped lines is logged.
 */
export function createLog({ name, level, redact = [], descriptor = STANDARD_OUTPUT }: LogOptions): Logger {
  const destination = pino.destination({ dest: descriptor, sync: true, maxLength: MAX_WAITING_BYTES });
  const log = pino({ ...(name === undefined ? {} : { name }), level, redact }, destination);
  let dropped = 0;
  // Without a listener, a write error would end the process.
  destination.on("error", () => undefined);
  destination.on("drop", () => {
    dropped += 1;
  });
  destination.on("drain", () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    log.warn({ lines }, "log lines were dropped because the log could not be written");
  });
  return log;
}
