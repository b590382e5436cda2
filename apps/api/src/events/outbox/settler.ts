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

/** Ends leases in batches. If a batch fails, each of its leases is retried in a separate transaction. */
export function startSettler({ pool }: { pool: pg.Pool }): Settler {
  const waiting: Waiting[] = [];
  let runningTransactions = 0;

  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const results = await inTransaction(pool, (client) => settle(client, batch));
      for (const [index, ending] of batch.entries()) ending.resolve(results[index] ?? false);
    } catch (error) {
      if (batch.length > 1) await Promise.all(batch.map((ending) => commit([ending])));
      else for (const ending of batch) ending.reject(error);
    }
  };

  const settle = async (client: pg.PoolClient, batch: readonly Waiting[]): Promise<boolean[]> => {
    const attempts = batch.flatMap(({ ending }) => ending.attempt ?? []);
    const settledIds = await settleAttempts(client, attempts);
    for (const { ending } of batch) await ending.write?.(client);
    return batch.map(
      ({ ending }) => ending.attempt === undefined || settledIds.has(ending.attempt.deliveryId),
    );
  };

  const next = (): void => {
    while (runningTransactions < MAX_SETTLE_TRANSACTIONS && waiting.length > 0) {
      runningTransactions += 1;
      void commit(waiting.splice(0, SETTLE_BATCH)).finally(() => {
        runningTransactions -= 1;
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
