import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { HEALTH_LIMITS } from "@tillgate/contract";
import { startLoop } from "@tillgate/service";
import { isDiskFull, isOutOfConnections } from "@tillgate/service/unavailable";
import pg from "pg";
import type { Logger } from "pino";
import { commitProbe, probeFreeSpace, readServer } from "./database-clock.js";

/** Response time above which a clock comparison is too inaccurate. */
const TOO_SLOW_MS = 2_000;

/** The difference between this process's clock and the database's, by which orders expire and webhooks are signed. */
export type Clock = {
  /** `sentAt` and `receivedAt` are in milliseconds since 1970 by this process's clock. */
  record(databaseTime: Date, sentAt: number, receivedAt: number): void;
  /** Offset in milliseconds, positive if this process is ahead; undefined until the database has responded. */
  readonly offsetMs: number | undefined;
  /** Whether the offset exceeds `HEALTH_LIMITS.clockOffsetMs`. */
  readonly isOff: boolean;
};

/** Logs when the clocks start to differ and when they agree again. */
export function watchClock(log: Pick<Logger, "warn" | "info">): Clock {
  let offsetMs: number | undefined;
  let isOff = false;
  return {
    record(databaseTime, sentAt, receivedAt) {
      const tookMs = receivedAt - sentAt;
      // Ignores the comparison if the clock was set in between, or if the response took too long.
      if (tookMs < 0 || tookMs > TOO_SLOW_MS) return;
      offsetMs = Math.round((sentAt + receivedAt) / 2 - databaseTime.getTime());
      const now = Math.abs(offsetMs) > HEALTH_LIMITS.clockOffsetMs;
      if (now === isOff) return;
      isOff = now;
      if (isOff)
        log.warn(
          { event: "clock_off", clockOffsetMs: offsetMs },
          "this machine's clock differs from the database's; synchronize both",
        );
      else
        log.info(
          { event: "clock_corrected", clockOffsetMs: offsetMs },
          "this machine's clock agrees with the database's again",
        );
    },
    get offsetMs() {
      return offsetMs;
    },
    get isOff() {
      return isOff;
    },
  };
}

const CHECK_EVERY_MS = 1_000;
/** How long a check may take before the database counts as frozen, in milliseconds. */
export const RESPONSE_LIMIT_MS = 3_000;
/** Interval between checks while the database is unavailable. */
const RETRY_MS = 250;
/** Retry-After of every 503. */
export const RETRY_AFTER_SECONDS = 2;

/** Why the service is unavailable. While the reason is `full`, reads are still served. */
export type UnavailableReason = "silent" | "full" | "busy";

/** The service is temporarily unavailable. The same call can be retried. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";

  constructor(
    message: string,
    readonly reason: UnavailableReason = "silent",
  ) {
    super(message);
  }
}

/** Returns why an error makes the service unavailable; `silent` if no other reason is known. */
export function findUnavailableReason(error: unknown): UnavailableReason {
  if (error instanceof UnavailableError) return error.reason;
  if (isDiskFull(error)) return "full";
  return isOutOfConnections(error) ? "busy" : "silent";
}

export type Availability = {
  /** @throws UnavailableError while the database is unavailable, or too many calls are queued for it. */
  check(): void;
  /** Reports an error. After a disk-full error, the disk counts as full until a check finds free space. */
  report(error: unknown): void;
  /** @returns the function that unsubscribes. */
  onUnavailable(callback: () => void): () => void;
  /** Makes readiness fail while requests are still served. */
  stop(): void;
  readonly stopping: boolean;
  readonly clock: Pick<Clock, "offsetMs" | "isOff">;
  readonly reachable: boolean;
  /** Why the database is unavailable or cannot write; otherwise undefined. */
  readonly reason: UnavailableReason | undefined;
  close(): Promise<void>;
};

type AvailabilityOptions = {
  databaseUrl: string;
  pool: Pick<pg.Pool, "waitingCount">;
  /** Calls that may wait for a connection in this process. Further calls are rejected immediately. */
  maxWaiting: number;
  log: Pick<Logger, "error" | "warn" | "info">;
  responseLimitMs?: number;
};

/** Checks on a separate connection whether the database responds and commits, so that requests are rejected early instead of piling up. */
export function watchAvailability(options: AvailabilityOptions): Availability {
  const { databaseUrl, pool, maxWaiting, log, responseLimitMs = RESPONSE_LIMIT_MS } = options;
  const subscribers = new Set<() => void>();
  let reachable = true;
  let cause: UnavailableReason = "silent";
  let full = false;
  let stopping = false;
  let client: pg.Client | undefined;
  const clock = watchClock(log);

  const drop = (): void => {
    client?.end().catch(() => undefined);
    client = undefined;
  };
  const checkDatabase = async (): Promise<void> => {
    if (client === undefined) {
      const opened = new pg.Client({
        connectionString: databaseUrl,
        connectionTimeoutMillis: responseLimitMs,
        application_name: "tillgate availability",
      });
      opened.on("error", () => {
        if (client === opened) client = undefined;
      });
      await opened.connect();
      client = opened;
    }
    const sentAt = Date.now();
    const { now, standby } = await readServer(client);
    clock.record(now, sentAt, Date.now());
    if (standby) throw new UnavailableError("the server is a standby, which does not accept writes");
    await commitProbe(client);
    if (full) await checkFreeSpace(client);
  };
  /** Checks whether a full disk has space again. A commit proves nothing, because a full disk still accepts its few bytes. */
  const checkFreeSpace = async (connection: pg.Client): Promise<void> => {
    try {
      await probeFreeSpace(connection);
      full = false;
      log.info("the database has free disk space again");
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  };
  const setReachable = (now: boolean, error?: unknown): void => {
    if (!now) cause = findUnavailableReason(error);
    if (now === reachable) return;
    reachable = now;
    if (now) log.info("the database is available again");
    else {
      log.warn({ err: error }, "the database is unavailable; rejecting requests until it is available again");
      for (const callback of [...subscribers]) callback();
    }
  };

  const loop = startLoop({
    name: "database check",
    intervalMs: CHECK_EVERY_MS,
    async run() {
      try {
        await withTimeLimit(checkDatabase(), responseLimitMs);
        setReachable(true);
      } catch (error) {
        drop();
        setReachable(false, error);
      }
      return reachable ? CHECK_EVERY_MS : RETRY_MS;
    },
    log,
  });

  return {
    clock,
    check() {
      if (!reachable) throw new UnavailableError("the database is unavailable", cause);
      if (pool.waitingCount >= maxWaiting)
        throw new UnavailableError("too many calls are queued for the database", "busy");
    },
    report(error) {
      if (full || !isDiskFull(error)) return;
      full = true;
      // The request's log line has the details; the error itself may quote a row.
      log.error("the database's disk is full");
    },
    onUnavailable(callback) {
      subscribers.add(callback);
      return () => subscribers.delete(callback);
    },
    stop() {
      stopping = true;
    },
    get reachable() {
      return reachable;
    },
    get reason() {
      if (!reachable) return cause;
      if (full) return "full";
      return pool.waitingCount >= maxWaiting ? "busy" : undefined;
    },
    get stopping() {
      return stopping;
    },
    async close() {
      await loop.close();
      drop();
    },
  };
}

/**
 * Waits up to `limitMs`. In a busy process the timer may fire although the response has arrived, so pending data is read first.
 * @throws UnavailableError if no response has arrived in time.
 */
export async function withTimeLimit<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const waiting = new AbortController();
  const late = (async (): Promise<never> => {
    await delay(limitMs, undefined, { signal: waiting.signal });
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    throw new UnavailableError(`no response within ${limitMs} ms`);
  })();
  // After a timeout, nobody awaits these promises, so their rejections are ignored.
  work.catch(() => undefined);
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    waiting.abort();
  }
}
