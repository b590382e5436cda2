import { Refusal, TILL_ORDER_SECONDS } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";
import { consoleClient } from "../orders/console-client.js";
import { createOrder } from "../orders/create-order.js";
import { requireTill } from "./till.js";

export type TillOrder = {
  amount: number | string;
  note?: string | undefined;
  idempotency_key: string;
  /** Of the call that makes it. */
  requestId: string;
};

/**
 * Makes an order at a till, in the till's currency; the same key makes one.
 * @throws OperationError TillNotFound, TillPaused, MerchantSuspended, InvalidFields (amount), IdempotencyKeyReused.
 */
export async function takeOrder(
  context: Context,
  scope: MerchantScope,
  tillId: string,
  { amount, note, idempotency_key, requestId }: TillOrder,
): Promise<OrderModel> {
  const till = await requireTill(context, scope, tillId);
  if (till.pausedAt !== null) throw new OperationError(Refusal.TillPaused);
  const { order } = await createOrder(
    context,
    await consoleClient(context, scope),
    {
      amount,
      currency: till.currency,
      payment_method: "both",
      description: note ?? till.name,
      terminal_id: till.terminalId,
      expires_in: TILL_ORDER_SECONDS,
      idempotency_key,
    },
    requestId,
  );
  return order;
}
