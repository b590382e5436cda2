import { type Mode, Refusal } from "@tillgate/contract";
import { type OrderModel, orderRow } from "@tillgate/database";
import { rowsOf } from "@tillgate/service";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";
import { inSets } from "../../sets/in-sets.js";
import type { SetWork } from "../../sets/set-work.js";
import { unnestArguments } from "../../sets/unnest-arguments.js";
import { expireWhenOverdue } from "./expire-order.js";

/** One element a reader. Each look enters the index of ids, however small the table was when this was planned. */
const ORDERS_OF_MERCHANTS = `
  SELECT o.* FROM ${unnestArguments(["text", "uuid", "mode"])} AS asked (id, merchant_id, mode)
  CROSS JOIN LATERAL (
    SELECT ${orderRow.columns.join(", ")} FROM orders
    WHERE id = asked.id AND merchant_id = asked.merchant_id AND mode = asked.mode LIMIT 1) AS o`;

type OrderAskedFor = { id: string; merchantId: string; mode: Mode };

async function readOrders(
  { database }: Context,
  asked: readonly OrderAskedFor[],
): Promise<(OrderModel | null)[]> {
  const orders = await rowsOf(database.pool, orderRow, {
    name: "orders of merchants",
    text: ORDERS_OF_MERCHANTS,
    values: [
      asked.map(({ id }) => id),
      asked.map(({ merchantId }) => merchantId),
      asked.map(({ mode }) => mode),
    ],
  });
  const found = new Map(orders.map((order) => [order.id, order]));
  return asked.map(({ id }) => found.get(id) ?? null);
}

/** Orders that are asked for at the same moment are read together. */
const orderReads: SetWork<OrderAskedFor, OrderModel | null> = {
  laneOf: ({ id }) => id,
  claimsOf: ({ id }) => [id],
  together: readOrders,
  alone: async (context, one) => (await readOrders(context, [one]))[0] ?? null,
};

/**
 * Reads one order of the calling merchant. A pending order past its expiry becomes EXPIRED first.
 * @throws OperationError OrderNotFound, also for another merchant's or the other mode's order.
 */
export async function getOrder(
  context: Context,
  { merchantId, mode }: MerchantScope,
  orderId: string,
): Promise<OrderModel> {
  const order = await inSets(context, orderReads, { id: orderId, merchantId, mode });
  if (order === null) throw new OperationError(Refusal.OrderNotFound);
  return expireWhenOverdue(context, order);
}
