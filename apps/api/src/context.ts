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
  /** Read-only key that reads reports, and nothing else. */
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
  /** End of the overlap after the credential's rotation, by this process's monotonic clock; infinity if there is none. */
  endsAt: number;
};

/** `until` is by the monotonic clock. */
export type CachedCredentials = { until: number; found: Promise<ResolvedCredential[]> };

/** One process's state, which may be lost: the database is authoritative. */
export type Memory = {
  /** By code. A currency's number of decimal places never changes. */
  currencies: Map<string, Currency>;
  /** Includes unknown IDs, so that they take as long as known ones. */
  credentials: LRUCache<string, CachedCredentials>;
  /** Last-used time, address and sites of credentials, until the next flush. */
  lastUsed: { pending: Map<string, { at: Date; address: string; sites: Record<string, Date> }> };
  requestLog: RequestLog;
  /** For each merchant that created a test control in this process: until when its cached credentials may predate the control. */
  controlled: Map<string, number>;
  requests: RateLimiter;
  failedSecrets: FailedSecrets;
  /** Unknown recipients that each merchant looked up, across all processes. */
  unknownRecipients: RateLimiterPostgres;
  ids: IdSpaces;
  /** Queues of writes that are grouped, by kind of work; `runGrouped` knows their types. */
  groupQueues: Map<unknown, unknown>;
  /** Number of open long polls, by mode and merchant. */
  longPolls: Map<string, number>;
  /** Number of comparison requests whose bodies are in memory: by mode and merchant, and in total. */
  comparisons: Map<string, number>;
  /** By the monotonic clock. */
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

/** One per process. */
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
