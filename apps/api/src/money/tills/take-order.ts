import { ErrorCode, TILL_ORDER_SECONDS } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { getConsoleClient } from "../orders/console-client.js";
import { createOrder } from "../orders/create.js";
import { expireWhenOverdue } from "../orders/expire.js";
import { requireTill, type TillModel } from "./till.js";

export type TillOrder = {
  amount: number | string;
  note?: string | undefined;
  idempotency_key: string;
  requestId: string;
};

/**
 * Creates an order at a till. A repeated call with the same key returns the same order.
 * @throws OperationError TillNotFound, TillPaused, MerchantSuspended, IdempotencyKeyReused, InvalidFields (amount, currency).
 */
export async function createTillOrder(
  context: Context,
  scope: MerchantScope,
  tillId: string,
  { amount, note, idempotency_key, requestId }: TillOrder,
): Promise<OrderModel> {
  const till = await requireTill(context, scope, tillId);
  if (till.pausedAt !== null) throw new OperationError(ErrorCode.TillPaused);
  const { order } = await createOrder(
    context,
    await getConsoleClient(context, scope),
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

type TillScope = Pick<TillModel, "merchantId" | "mode" | "terminalId">;
const pickScope = ({ merchantId, mode, terminalId }: TillScope): TillScope => ({
  merchantId,
  mode,
  terminalId,
});

/**
 * Finds the till's newest pending order, whether a person or the API created it.
 * @returns null if there is none, or if the order was overdue and became EXPIRED.
 */
export async function findOpenOrder(context: Context, till: TillScope): Promise<OrderModel | null> {
  const newest = await context.database.prisma.order.findFirst({
    where: { ...pickScope(till), status: "PENDING" },
    orderBy: { createdAt: "desc" },
  });
  if (newest === null) return null;
  const order = await expireWhenOverdue(context, newest);
  return order.status === "PENDING" ? order : null;
}

/**
 * Finds an order of the till, and sets it to EXPIRED if overdue before returning it.
 * @throws OperationError OrderNotFound, including for another till's order.
 */
export async function findTillOrder(context: Context, till: TillScope, orderId: string): Promise<OrderModel> {
  const order = await context.database.prisma.order.findFirst({ where: { ...pickScope(till), id: orderId } });
  if (order === null) throw new OperationError(ErrorCode.OrderNotFound);
  return expireWhenOverdue(context, order);
}
