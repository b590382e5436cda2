import { Refusal } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { expireWhenOverdue } from "../orders/expire-order.js";
import type { TillModel } from "./till.js";

type Place = Pick<TillModel, "merchantId" | "mode" | "terminalId">;
const at = ({ merchantId, mode, terminalId }: Place): Place => ({ merchantId, mode, terminalId });

/**
 * The order that is open at a till now: the newest that waits for its payment there, made by a person or a program. One whose time is over
 * becomes EXPIRED first.
 */
export async function openOrder(context: Context, place: Place): Promise<OrderModel | null> {
  const newest = await context.database.prisma.order.findFirst({
    where: { ...at(place), status: "PENDING" },
    orderBy: { createdAt: "desc" },
  });
  if (newest === null) return null;
  const order = await expireWhenOverdue(context, newest);
  return order.status === "PENDING" ? order : null;
}

/** An order of this till. @throws OperationError OrderNotFound, also for one of another till. */
export async function orderAtTill(context: Context, place: Place, orderId: string): Promise<OrderModel> {
  const order = await context.database.prisma.order.findFirst({ where: { ...at(place), id: orderId } });
  if (order === null) throw new OperationError(Refusal.OrderNotFound);
  return expireWhenOverdue(context, order);
}
