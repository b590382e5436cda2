import { ErrorCode, type Mode } from "@tillgate/contract";
import { callRows, ledger, type OrderModel } from "@tillgate/database";
import { isUnavailable } from "@tillgate/service/unavailable";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { callLedger } from "../../ledger/call.js";
import { getCode, OrderOverdueError, OrderSettledError } from "../../ledger/errors.js";

/** Expires a pending order that is overdue. @returns whether this call expired the order. */
export async function expireOrder(context: Context, order: { id: string; mode: Mode }): Promise<boolean> {
  const expired = await callLedger(context, ledger.expireOrder, () => ({
    orderId: order.id,
    mode: order.mode,
  }));
  if (expired) context.changes.notify(order.id);
  return expired;
}

/** Orders per database call, and database calls per list request. A worker expires the remaining orders. */
const EXPIRE_BATCH = 100;
const MAX_BATCHES = 50;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Expires a merchant's overdue orders before they are listed, up to {@link MAX_BATCHES} batches. An error such as a lock timeout is logged. A worker
 * expires the remaining orders.
 * @throws the database's error if the database is unavailable.
 */
export async function expireMerchantOrders(
  { database: { pool }, changes, log }: Context,
  { merchantId, mode }: { merchantId: string; mode: Mode },
): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    try {
      const ids = await callRows(pool, ledger.expireMerchantOrders, {
        merchantId,
        mode,
        limit: EXPIRE_BATCH,
      });
      for (const id of ids) changes.notify(id);
      if (ids.length < EXPIRE_BATCH) return;
    } catch (error) {
      if (isUnavailable(error) && getCode(error) !== LOCK_NOT_AVAILABLE) throw error;
      log.warn({ err: error, merchantId, mode }, "could not expire overdue orders before listing them");
      return;
    }
  }
}

/** How far this machine's clock may be behind the database's. Only the database decides expiry. */
const CLOCK_TOLERANCE_MS = 5_000;

/**
 * Expires a pending order if it is overdue, and returns its current state. An order that is not pending, or far from its expiry, is returned
 * unchanged.
 */
export async function expireWhenOverdue<Order extends OrderModel>(
  context: Context,
  order: Order,
): Promise<Order> {
  if (order.status !== "PENDING" || order.expiresAt.getTime() > Date.now() + CLOCK_TOLERANCE_MS) return order;
  await expireOrder(context, order);
  const now = await context.database.prisma.order.findUniqueOrThrow({ where: { id: order.id } });
  return { ...order, ...now };
}

const SETTLED = {
  PAID: ErrorCode.OrderAlreadyPaid,
  CANCELLED: ErrorCode.OrderCancelled,
  EXPIRED: ErrorCode.OrderExpired,
} as const;

/** Returns the error for paying an order with this status; null for a pending order. */
export const getRejection = (status: OrderModel["status"]): ErrorCode | null =>
  status === "PENDING" ? null : SETTLED[status];

/**
 * Sets the order to EXPIRED if it is overdue, and returns the error for a payment or cancellation that came too late.
 * @throws Error if the order is still pending.
 */
export async function findTooLateError(
  context: Context,
  order: Pick<OrderModel, "id" | "mode">,
): Promise<OperationError> {
  await expireOrder(context, order);
  const { status } = await context.database.prisma.order.findUniqueOrThrow({
    where: { id: order.id },
    select: { status: true },
  });
  const rejection = getRejection(status);
  if (!rejection)
    throw new Error(
      `a payment or cancellation of order ${order.id} was rejected as too late, but the order is ${status}`,
    );
  return new OperationError(rejection);
}

export const isTooLateError = (error: unknown): boolean =>
  error instanceof OrderOverdueError || error instanceof OrderSettledError;
