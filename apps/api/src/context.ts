import type { Mode } from "@tillgate/contract";
import type { Database, Keyring } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { Logger } from "pino";
import type { RateLimiterPostgres } from "rate-limiter-flexible";
import type { Config } from "./config.js";
import { type Counters, createCounters } from "./metrics/counters.js";
import { type ChangeNotifier, createChangeNotifier } from "./platform/change-notifier.js";
import { createIdSpaces, type IdSpaces } from "./platform/ids.js";
import {
  createFailedSecrets,
  createRequestLimiter,
  createUnknownRecipients,
  type FailedSecrets,
  type RateLimiter,
} from "./platform/rate-limits.js";
import { createRequestLog, type RequestLog } from "./platform/request-log.js";

/** Credentials cached per process, including unknown IDs. */
export const MAX_CACHED_CREDENTIALS = 10_000;

export type ResolvedCredential = {
  id: string;
  merchantId: string;
  mode: Mode;
  secretHash: Uint8Array;
  /** Read-only key: every call that would change something is rejected. */
  readOnly: boolean;
  /** Order-only key: its calls may create and cancel orders, simulate their outcome in the sandbox and send comparisons, but change nothing else. */
  orderOnly: boolean;
  /** Reports-only key: it can read reports, and nothing else. */
  reportsOnly: boolean;
  suspended: boolean;
  partnerApiEnabled: boolean;
  /** Null for the default. */
  payRequestsPerMinute: number | null;
  partnerRequestsPerMinute: number | null;
  /** Whether a test control of its merchant may apply to calls with this credential. */
  controlled: boolean;
  /** Whether the credential has authenticated a call before. */
  used: boolean;
  /** End of the overlap after the credential's rotation, in milliseconds of this process's monotonic clock; infinity without a rotation. */
  endsAt: number;
};

/** `until` is in milliseconds of the monotonic clock. */
export type CachedCredentials = { until: number; found: Promise<ResolvedCredential[]> };

/** State of one process. It may be lost, because the database is authoritative. */
export type Memory = {
  /** Currencies by code. Their decimal places never change. */
  currencies: Map<string, Currency>;
  /** Includes unknown IDs, so that response times do not reveal which IDs exist. */
  credentials: LRUCache<string, CachedCredentials>;
  /** Last-used time, address and sites of credentials, until the next flush. */
  lastUsed: { pending: Map<string, { at: Date; address: string; sites: Record<string, Date> }> };
  requestLog: RequestLog;
  /** By merchant that created a test control in this process: monotonic time until which cached credentials may be older than the control. */
  controlled: Map<string, number>;
  requests: RateLimiter;
  failedSecrets: FailedSecrets;
  /** Counter of the unknown recipients that each merchant looked up, across all processes. */
  unknownRecipients: RateLimiterPostgres;
  ids: IdSpaces;
  /** Queues of writes that are grouped, by kind of work; `runGrouped` knows their types. */
  groupQueues: Map<unknown, unknown>;
  /** Number of open long polls, by mode and merchant. */
  longPolls: Map<string, number>;
  /** Number of comparison requests whose bodies are in memory: by mode and merchant, and in total. */
  comparisons: Map<string, number>;
  /** Time of the last log line about held-back events, in milliseconds of the monotonic clock. */
  heldBackLoggedAt: number;
};

export const createMemory = (pool: pg.Pool): Memory => ({
  currencies: new Map(),
  credentials: new LRUCache({ max: MAX_CACHED_CREDENTIALS }),
  lastUsed: { pending: new Map() },
  requestLog: createRequestLog(),
  controlled: new Map(),
  requests: createRequestLimiter(pool),
  failedSecrets: createFailedSecrets(pool),
  unknownRecipients: createUnknownRecipients(pool),
  ids: createIdSpaces(),
  groupQueues: new Map(),
  longPolls: new Map(),
  comparisons: new Map(),
  heldBackLoggedAt: Number.NEGATIVE_INFINITY,
});

/** The dependencies and state that the operations of one process share. */
export type Context = {
  config: Config;
  database: Database;
  keyring: Keyring;
  changes: ChangeNotifier;
  memory: Memory;
  counters: Counters;
  log: Logger;
};

export const createContext = ({
  config,
  database,
  log,
}: Pick<Context, "config" | "database" | "log">): Context => ({
  config,
  database,
  keyring: config.keyring,
  changes: createChangeNotifier({ pool: database.pool, log }),
  memory: createMemory(database.pool),
  counters: createCounters(),
  log,
});
