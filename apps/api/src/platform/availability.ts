import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { startLoop } from "@tillgate/service";
import { isDiskFull, isOutOfConnections } from "@tillgate/service/unavailable";
import pg from "pg";
import type { Logger } from "pino";
import { commitNothing, readServer, useCapacity } from "./database-clock.js";

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

/** How often the database is asked whether it answers, in milliseconds. */
const ASK_EVERY_MS = 1_000;
/** How long it may take before it counts as frozen, in milliseconds. */
export const ANSWER_LIMIT_MS = 3_000;
/** How often it is asked while it does not answer, in milliseconds. */
const ASK_AGAIN_MS = 250;
/** When a caller may try again, in seconds: sent with every 503. */
export const RETRY_AFTER_SECONDS = 2;

/** Why the service cannot answer now. `full` lasts longest: what only reads is served on meanwhile. */
export type DatabaseTrouble = "silent" | "full" | "busy";

/** The service cannot answer now: the caller may repeat the same call a little later. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";

  constructor(
    message: string,
    readonly trouble: DatabaseTrouble = "silent",
  ) {
    super(message);
  }
}

/** Why, of an error that says it. */
export function troubleOf(error: unknown): DatabaseTrouble {
  if (error instanceof UnavailableError) return error.trouble;
  if (isDiskFull(error)) return "full";
  return isOutOfConnections(error) ? "busy" : "silent";
}

/** Whether this process can answer requests that need the database. */
export type Availability = {
  /** @throws UnavailableError while the database does not answer, or too many calls wait for it already. */
  check(): void;
  /** A request ended with this error: one that says that there is no room is believed until there is some again. */
  heard(error: unknown): void;
  /** Calls back when the database stops answering. @returns the call that ends it. */
  onLost(callback: () => void): () => void;
  /** From now on `stopping` is true: readiness falls, requests are still served. */
  stop(): void;
  readonly stopping: boolean;
  /** How this process's clock is set against the database's. */
  readonly clock: Pick<Clock, "offsetMs" | "isOff">;
  /** Whether the database answers. */
  readonly reachable: boolean;
  /** Why it cannot answer, or take what is to be kept; undefined: it can. */
  readonly trouble: DatabaseTrouble | undefined;
  close(): Promise<void>;
};

type AvailabilityOptions = {
  databaseUrl: string;
  /** The pool whose queue is bounded. */
  pool: Pick<pg.Pool, "waitingCount">;
  /** Calls that may wait for a connection in this process; one more is refused at once. */
  maxWaiting: number;
  log: Pick<Logger, "error" | "warn" | "info">;
  answerLimitMs?: number;
};

/**
 * Asks the database once a second, on a separate connection, whether it answers and commits. So a stopped or frozen server is
 * noticed within seconds, and one whose disk or standby keeps no commit. Requests are then refused early and do not pile up
 * behind it.
 */
export function watchAvailability(options: AvailabilityOptions): Availability {
  const { databaseUrl, pool, maxWaiting, log, answerLimitMs = ANSWER_LIMIT_MS } = options;
  const subscribers = new Set<() => void>();
  let reachable = true;
  /** Why it is not reachable. */
  let cause: DatabaseTrouble = "silent";
  let full = false;
  let stopping = false;
  let client: pg.Client | undefined;
  const clock = watchClock(log);

  const drop = (): void => {
    client?.end().catch(() => undefined);
    client = undefined;
  };
  const ask = async (): Promise<void> => {
    if (client === undefined) {
      const opened = new pg.Client({
        connectionString: databaseUrl,
        connectionTimeoutMillis: answerLimitMs,
        application_name: "tillgate availability",
      });
      opened.on("error", () => {
        if (client === opened) client = undefined;
      });
      await opened.connect();
      client = opened;
    }
    const askedAt = Date.now();
    const { now, standby } = await readServer(client);
    clock.heard(now, askedAt, Date.now());
    if (standby) throw new UnavailableError("the server is a standby, which takes no writes");
    await commitNothing(client);
    if (full) await lookForRoom(client);
  };
  /** A full disk still takes the few bytes of a commit, so it is asked for room itself. */
  const lookForRoom = async (asked: pg.Client): Promise<void> => {
    try {
      await useCapacity(asked);
      full = false;
      log.info("the database has room again");
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  };
  const found = (now: boolean, error?: unknown): void => {
    if (!now) cause = troubleOf(error);
    if (now === reachable) return;
    reachable = now;
    if (now) log.info("the database answers again");
    else {
      log.warn({ err: error }, "the database does not answer; requests are refused until it does");
      for (const callback of [...subscribers]) callback();
    }
  };

  const asking = startLoop({
    name: "look at the database",
    intervalMs: ASK_EVERY_MS,
    async run() {
      try {
        await within(ask(), answerLimitMs);
        found(true);
      } catch (error) {
        drop();
        found(false, error);
      }
      return reachable ? ASK_EVERY_MS : ASK_AGAIN_MS;
    },
    log,
  });

  return {
    clock,
    check() {
      if (!reachable) throw new UnavailableError("the database does not answer", cause);
      if (pool.waitingCount >= maxWaiting)
        throw new UnavailableError("too many calls wait for the database", "busy");
    },
    heard(error) {
      if (full || !isDiskFull(error)) return;
      full = true;
      // The line of the request says more; the error itself may quote a row.
      log.error("the database has no room left");
    },
    onLost(callback) {
      subscribers.add(callback);
      return () => subscribers.delete(callback);
    },
    stop() {
      stopping = true;
    },
    get reachable() {
      return reachable;
    },
    get trouble() {
      if (!reachable) return cause;
      if (full) return "full";
      return pool.waitingCount >= maxWaiting ? "busy" : undefined;
    },
    get stopping() {
      return stopping;
    },
    async close() {
      await asking.close();
      drop();
    },
  };
}

/**
 * Waits for work, up to a limit. A busy process may find its timer due although the answer has already arrived, so it reads
 * arrived data first.
 * @throws UnavailableError when there is no answer by then.
 */
export async function within<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const waiting = new AbortController();
  const late = (async (): Promise<never> => {
    await delay(limitMs, undefined, { signal: waiting.signal });
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    throw new UnavailableError(`no answer within ${limitMs} ms`);
  })();
  // The loser of the race is not awaited.
  work.catch(() => undefined);
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    waiting.abort();
  }
}
