import type { Mode } from "@tillgate/contract";
import type { Context } from "../context.js";
import { callLedger } from "../ledger/call.js";

/**
 * Expires an order whose time is over, if nobody settled it first. May be called any number of times.
 * @returns whether this call did it.
 */
export async function expireOrder(context: Context, order: { id: string; mode: Mode }): Promise<boolean> {
  const { expired } = await callLedger<{ expired: boolean }>(
    context,
    "SELECT expire_order($1, $2) AS expired",
    () => [order.id, order.mode],
  );
  if (expired) context.hints.changed(order.id);
  return expired;
}
