import { setTimeout as delay } from "node:timers/promises";
import { callGroup, callOne, type LedgerFunction, type LedgerGroup } from "@tillgate/database";
import { inTransaction, type Queryable } from "@tillgate/service";
import { isFailover } from "@tillgate/service/unavailable";
import type pg from "pg";
import type { Context } from "../context.js";
import type { IdSpaces } from "../platform/ids.js";
import { findDuplicate, GroupRejectedError, isTransient, toOperationError } from "./errors.js";
import { RejectedItemsError } from "./group-commit.js";

/** Retries after a deadlock or a serialization failure. */
const MAX_RETRIES = 3;
/** Maximum retries after ID collisions; hardly ever reached, because each collision makes the next IDs longer. */
const MAX_NEW_IDS = 32;
/** Delays before each retry of a call whose connection was lost, in milliseconds. */
const FAILOVER_RETRY_DELAYS_MS = [100, 400, 1_500];

/**
 * Calls a SQL function, with retries. After a lost connection, only calls with an idempotency key are retried, because the key reveals whether the
 * lost call was committed.
 * @param createArguments called for each attempt, so that a retry after an ID collision uses a new ID.
 * @throws OperationError, OrderSettledError, OrderOverdueError or WalletClosedError if the function rejects the call; nothing is written then.
 */
export const callLedger = <Arguments extends Record<string, unknown>, Result>(
  context: Pick<Context, "database" | "memory">,
  ledgerFunction: LedgerFunction<Arguments, Result>,
  createArguments: () => Arguments,
): Promise<Result> => {
  let keyed = false;
  const call = (): Promise<Result> => {
    const input = createArguments();
    keyed = typeof input.idempotencyKey === "string";
    return callOne(context.database.pool, ledgerFunction, input);
  };
  return withRetries(context, call, () => keyed);
};

export type GroupCall<Item, Decided, Arguments extends Record<string, unknown>, Result, Done> = {
  ledgerFunction: LedgerGroup<Arguments, Result>;
  createArguments: (ids: IdSpaces, item: Item, decided: Decided) => Arguments;
  /** The ID by which the database identifies an item. */
  idOf: (args: Arguments) => string;
  toDone: (result: Result) => { id: string; done: Done };
};

/**
 * Writes the items in one transaction.
 * @param decisionOf returns what was decided for an item, such as its price; undefined to skip the item.
 * @param record writes audit records of the results in the same transaction.
 * @returns the results, in the order of the items; undefined for a skipped item.
 * @throws RejectedItemsError, in which case nothing is written, or the errors of {@link withRetries}.
 */
export async function callLedgerGroup<Item, Decided, Arguments extends Record<string, unknown>, Result, Done>(
  context: Pick<Context, "database" | "memory">,
  { ledgerFunction, createArguments, idOf, toDone }: GroupCall<Item, Decided, Arguments, Result, Done>,
  items: readonly Item[],
  decisionOf: (item: Item) => Decided | undefined,
  record?: (connection: pg.PoolClient, results: ReadonlyMap<Item, Done>) => Promise<void>,
): Promise<(Done | undefined)[]> {
  const calls = items.flatMap((item) => {
    const decision = decisionOf(item);
    return decision === undefined ? [] : [{ item, decision }];
  });
  if (calls.length === 0) return items.map(() => undefined);
  const byId = new Map<string, Item>();
  const callWith = async (connection: Queryable, all: readonly Arguments[]): Promise<Map<Item, Done>> => {
    const results = new Map<Item, Done>();
    for (const result of await callGroup(connection, ledgerFunction, all)) {
      const { id, done } = toDone(result);
      const item = byId.get(id);
      if (item !== undefined) results.set(item, done);
    }
    return results;
  };
  const write = (): Promise<Map<Item, Done>> => {
    byId.clear();
    const all = calls.map(({ item, decision }) => {
      const args = createArguments(context.memory.ids, item, decision);
      byId.set(idOf(args), item);
      return args;
    });
    const { pool } = context.database;
    if (!record) return callWith(pool, all);
    return inTransaction(pool, async (connection) => {
      const results = await callWith(connection, all);
      await record(connection, results);
      return results;
    });
  };
  try {
    const results = await withRetries(context, write);
    return items.map((item) => results.get(item));
  } catch (error) {
    if (!(error instanceof GroupRejectedError)) throw error;
    throw new RejectedItemsError(new Set([...error.ids].map((id) => byId.get(id))));
  }
}

/**
 * Retries a call after an ID collision, a deadlock, a serialization failure or, with an idempotency key, a lost connection.
 * @throws the last error, translated by {@link toOperationError}.
 */
export async function withRetries<Result>(
  { memory }: Pick<Context, "memory">,
  call: () => Promise<Result>,
  isKeyed: () => boolean = () => false,
): Promise<Result> {
  const pauses = [...FAILOVER_RETRY_DELAYS_MS];
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await call();
    } catch (error) {
      const pauseMs = isFailover(error) && isKeyed() ? pauses.shift() : undefined;
      if (pauseMs !== undefined) {
        await delay(pauseMs);
        continue;
      }
      const duplicate = findDuplicate(error);
      const collided = Object.values(memory.ids).find(({ unique }) => unique === duplicate?.constraint);
      if (duplicate) collided?.recordCollision(duplicate.value);
      const maxRetries = collided ? MAX_NEW_IDS : isTransient(error) ? MAX_RETRIES : 0;
      if (repeats >= maxRetries) throw toOperationError(error);
    }
  }
}
