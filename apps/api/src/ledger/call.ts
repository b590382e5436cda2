import { callOne, type LedgerFunction } from "@tillgate/database";
import type { Context } from "../context.js";
import { asRefusal, isCollision, isTransient } from "./refusals.js";

/** Repeats after a deadlock, a serialization failure or a collision of random ids. */
const MAX_REPEATS = 3;

/**
 * Calls one SQL function that writes, outside of any other transaction: it is the transaction.
 * @param named makes new arguments for every try, so that a colliding id is not tried twice.
 * @throws OperationError, OrderSettledError, OrderOverdueError or WalletClosedError when the function refuses; nothing is
 * written then.
 */
export async function callLedger<Named extends Record<string, unknown>, Answer>(
  context: Pick<Context, "database">,
  called: LedgerFunction<Named, Answer>,
  named: () => Named,
): Promise<Answer> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await callOne(context.database.pool, called, named());
    } catch (error) {
      if (repeats < MAX_REPEATS && (isTransient(error) || isCollision(error))) continue;
      throw asRefusal(error, called);
    }
  }
}
