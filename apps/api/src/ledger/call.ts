import { callOne, type LedgerFunction } from "@tillgate/database";
import type { Context } from "../context.js";
import { asRefusal, duplicateOf, isTransient } from "./refusals.js";

/** Repeats after a deadlock or a serialization failure. */
const MAX_REPEATS = 3;
/** Repeats with new ids, after some that were taken: more than ids need to grow to their longest. */
const MAX_NEW_IDS = 32;

/**
 * Calls one SQL function that writes, outside of any other transaction: it is the transaction.
 * @param named makes new arguments for every try, so that an id that is taken is not tried twice.
 * @throws OperationError, OrderSettledError, OrderOverdueError or WalletClosedError when the function refuses; nothing is
 * written then.
 */
export const callLedger = <Named extends Record<string, unknown>, Answer>(
  context: Pick<Context, "database" | "memory">,
  called: LedgerFunction<Named, Answer>,
  named: () => Named,
): Promise<Answer> => repeating(context, called, () => callOne(context.database.pool, called, named()));

/** Makes a call again while that may help. @throws as callLedger */
export async function repeating<Answer>(
  { memory }: Pick<Context, "memory">,
  called: Parameters<typeof asRefusal>[1],
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await call();
    } catch (error) {
      const duplicate = duplicateOf(error);
      const taken = Object.values(memory.ids).find(({ unique }) => unique === duplicate?.constraint);
      if (duplicate) taken?.learnTaken(duplicate.value);
      const most = taken ? MAX_NEW_IDS : isTransient(error) ? MAX_REPEATS : 0;
      if (repeats >= most) throw asRefusal(error, called);
    }
  }
}
