import { inTransaction } from "@tillgate/service";
import type pg from "pg";
import { MAX_SETTLE_TRANSACTIONS, SETTLE_BATCH } from "./limits.js";
import { type Settlement, settleAttempts } from "./queries.js";

/** How a lease ends: with a recorded attempt, or with another change of its delivery. */
export type AttemptEnd =
  | { attempt: Settlement; write?: never }
  | { attempt?: never; write: (client: pg.PoolClient) => Promise<unknown> };

export type Settler = {
  /** Ends the lease. @returns false if another worker has already settled the delivery. */
  end(ending: AttemptEnd): Promise<boolean>;
};

type Waiting = {
  ending: AttemptEnd;
  resolve: (settled: boolean) => void;
  reject: (error: unknown) => void;
};

/**
 * Ends leases in batches: those that end while a transaction runs go into the next one, so that a busy worker commits once for many
 * deliveries, and an idle one immediately. If a batch fails, each is retried alone, so that none fails because of another.
 */
export function startSettler({ pool }: { pool: pg.Pool }): Settler {
  const waiting: Waiting[] = [];
  let underWay = 0;

  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const settled = await inTransaction(pool, (client) => write(client, batch));
      for (const [number, one] of batch.entries()) one.resolve(settled[number] ?? false);
    } catch (error) {
      if (batch.length > 1) await Promise.all(batch.map((one) => commit([one])));
      else for (const one of batch) one.reject(error);
    }
  };

  const write = async (client: pg.PoolClient, batch: readonly Waiting[]): Promise<boolean[]> => {
    const attempts = batch.flatMap(({ ending }) => ending.attempt ?? []);
    const settled = await settleAttempts(client, attempts);
    for (const { ending } of batch) await ending.write?.(client);
    return batch.map(({ ending }) => ending.attempt === undefined || settled.has(ending.attempt.deliveryId));
  };

  const next = (): void => {
    while (underWay < MAX_SETTLE_TRANSACTIONS && waiting.length > 0) {
      underWay += 1;
      void commit(waiting.splice(0, SETTLE_BATCH)).finally(() => {
        underWay -= 1;
        next();
      });
    }
  };

  return {
    end: (ending) =>
      new Promise((resolve, reject) => {
        waiting.push({ ending, resolve, reject });
        next();
      }),
  };
}
