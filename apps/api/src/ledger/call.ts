import type { Context } from "../context.js";
import { asRefusal, isCollision, isTransient } from "./refusals.js";

/** Repeats after a deadlock, a serialization failure or a collision of random ids. */
const MAX_REPEATS = 3;

type Value = string | number | bigint | boolean | Buffer | null;

/**
 * Calls one SQL function that writes, outside of any other transaction: it is the transaction.
 * @param arguments_ makes the arguments anew for every try, so that a colliding id is not tried twice.
 * @returns the function's row, columns by name.
 * @throws OperationError, OrderSettledError, OrderOverdueError or WalletClosedError for a refusal; nothing is written then.
 */
export async function callLedger<Row>(
  context: Context,
  sql: string,
  arguments_: () => readonly Value[],
): Promise<Row> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      const { rows } = await context.database.pool.query(sql, [...arguments_()]);
      const [row]: Row[] = rows;
      if (row === undefined) throw new Error("a ledger function answered no row");
      return row;
    } catch (error) {
      if (repeats < MAX_REPEATS && (isTransient(error) || isCollision(error))) continue;
      throw asRefusal(error);
    }
  }
}
