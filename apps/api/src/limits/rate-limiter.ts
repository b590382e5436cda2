import { LRUCache } from "lru-cache";

/** Windows of a minute, with at most so many draws each: high limits are drawn in blocks. */
const DRAWS_A_WINDOW = 600;

/** The answer to one request, and the values of its headers. */
export type Allowance = {
  allowed: boolean;
  /** Requests a window. */
  limit: number;
  /** Requests left in this window, as far as this process knows. */
  remaining: number;
  /** How long until the window ends, in milliseconds. */
  resetMs: number;
};

export type RateLimiter = {
  /** Counts one request under `key`, of which `limit` a window are allowed. */
  spend(key: string, limit: number): Promise<Allowance>;
  /** How many keys memory holds. */
  readonly size: number;
};

/** The counter that all processes share; how much was consumed in the window so far, this time included. */
export type SharedCounter = {
  consume(key: string, points: number): Promise<{ consumedPoints: number; msBeforeNext: number }>;
};

type Waiter = { resolve: (allowance: Allowance) => void; reject: (error: unknown) => void };

/** What this process knows of one key: its drawn tokens, and whether there are more. */
type Share = {
  limit: number;
  drawn: number;
  leftInStore: number;
  endsAt: number;
  waiting: Waiter[];
  drawing: boolean;
};

/**
 * Allows a number of requests per key and window, over any number of processes. Tokens are drawn from a shared counter in
 * blocks of max(1, limit ÷ 600), or as many as are waiting. Up to 1,199 a minute no token is drawn before a request waits
 * for it, so the limit is exact. When the counter is used up, refusals come from memory until the window ends.
 */
export function createRateLimiter({
  counter,
  maxKeys,
}: {
  counter: SharedCounter;
  maxKeys: number;
}): RateLimiter {
  const shares = new LRUCache<string, Share>({ max: maxKeys });

  function shareOf(key: string, limit: number): Share {
    const known = shares.get(key);
    // After a change of the limit the shared counter decides again.
    if (known?.limit === limit) return known;
    const share = { limit, drawn: 0, leftInStore: limit, endsAt: 0, waiting: [], drawing: false };
    shares.set(key, share);
    return share;
  }

  const answer = (share: Share): Allowance => {
    const allowed = share.drawn > 0;
    if (allowed) share.drawn -= 1;
    const resetMs = Math.max(0, share.endsAt - Date.now());
    return { allowed, limit: share.limit, remaining: share.drawn + share.leftInStore, resetMs };
  };

  async function draw(key: string, share: Share): Promise<void> {
    share.drawing = true;
    while (share.waiting.length > 0) {
      const { limit, waiting } = share;
      share.waiting = [];
      const wanted = Math.max(1, Math.floor(limit / DRAWS_A_WINDOW), waiting.length);
      try {
        const { consumedPoints, msBeforeNext } = await counter.consume(key, wanted);
        share.drawn = Math.min(wanted, Math.max(0, limit - (consumedPoints - wanted)));
        share.leftInStore = Math.max(0, limit - consumedPoints);
        share.endsAt = Date.now() + msBeforeNext;
        for (const { resolve } of waiting) resolve(answer(share));
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    }
    share.drawing = false;
  }

  return {
    get size() {
      return shares.size;
    },
    spend(key, limit) {
      const share = shareOf(key, limit);
      if (Date.now() >= share.endsAt) {
        share.drawn = 0;
        share.leftInStore = limit;
      }
      if (share.drawn > 0 || share.leftInStore === 0) return Promise.resolve(answer(share));
      return new Promise((resolve, reject) => {
        share.waiting.push({ resolve, reject });
        if (!share.drawing) void draw(key, share);
      });
    },
  };
}
