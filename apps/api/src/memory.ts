import type { Currency } from "@tillgate/money";
import { LRUCache } from "lru-cache";
import type pg from "pg";
import { type CachedCredentials, MAX_CACHED_CREDENTIALS } from "./credentials/resolved-credential.js";
import { createFailedSecrets, type FailedSecrets } from "./limits/failed-secrets.js";
import type { RateLimiter } from "./limits/rate-limiter.js";
import { createRequestLimiter } from "./limits/request-limiter.js";

/** What one process remembers between calls. All of it may be lost: the database knows what counts. */
export type Memory = {
  /** By code. A currency's digits never change. */
  currencies: Map<string, Currency>;
  /** Unknown ids are remembered too, so that they take as long as known ones. */
  credentials: LRUCache<string, CachedCredentials>;
  /** When which credential was used last, for those whose time is not written yet. */
  lastUsed: { pending: Map<string, Date> };
  requests: RateLimiter;
  failedSecrets: FailedSecrets;
  /** Lists of events that wait for one, by mode and merchant. */
  waitingLists: Map<string, number>;
  /** When the log last said that events are held back, by the monotonic clock. */
  heldBackLoggedAt: number;
};

/** The memory of a process that knows nothing yet. */
export const createMemory = (pool: pg.Pool): Memory => ({
  currencies: new Map(),
  credentials: new LRUCache({ max: MAX_CACHED_CREDENTIALS }),
  lastUsed: { pending: new Map() },
  requests: createRequestLimiter(pool),
  failedSecrets: createFailedSecrets(pool),
  waitingLists: new Map(),
  heldBackLoggedAt: Number.NEGATIVE_INFINITY,
});
