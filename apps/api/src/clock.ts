import type { Logger } from "pino";

/** How far off a process's clock may be, in milliseconds: receivers refuse a signature that is 300 s off. */
export const CLOCK_LIMIT_MS = 5_000;
/** An answer that took longer says too little about the clock, in milliseconds. */
const TOO_SLOW_MS = 2_000;

/** How far this process's clock is from the database's, by which orders expire and webhooks are signed. */
export type Clock = {
  /**
   * Returns the database's time, and when it was asked for and heard, in milliseconds since 1970 by this process's clock.
   */
  heard(databaseTime: Date, askedAt: number, heardAt: number): void;
  /** Positive: this process is ahead. Milliseconds; undefined until the database was heard. */
  readonly offsetMs: number | undefined;
  /** Whether it is further off than {@link CLOCK_LIMIT_MS}. */
  readonly isOff: boolean;
};

/** Compares the clocks, and logs when the process's own goes wrong and when it is right again. */
export function watchClock(log: Pick<Logger, "warn" | "info">): Clock {
  let offsetMs: number | undefined;
  let isOff = false;
  return {
    heard(databaseTime, askedAt, heardAt) {
      const tookMs = heardAt - askedAt;
      // The clock was set between question and answer, or the answer took too long.
      if (tookMs < 0 || tookMs > TOO_SLOW_MS) return;
      offsetMs = Math.round((askedAt + heardAt) / 2 - databaseTime.getTime());
      const now = Math.abs(offsetMs) > CLOCK_LIMIT_MS;
      if (now === isOff) return;
      isOff = now;
      if (isOff)
        log.warn({ event: "clock_off", clockOffsetMs: offsetMs }, "this machine's clock is off; set it");
      else log.info({ event: "clock_right", clockOffsetMs: offsetMs }, "this machine's clock is right again");
    },
    get offsetMs() {
      return offsetMs;
    },
    get isOff() {
      return isOff;
    },
  };
}
