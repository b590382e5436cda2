import type { ListOrdersQuery } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../context.js";
import type { Client } from "./authenticate-client.js";
import { countRows } from "./count-rows.js";
import { createdWithin } from "./day-range.js";

/** One page of the merchant's orders of its mode, newest first, and how many there are on all pages. */
export async function listOrders(
  context: Context,
  client: Client,
  query: ListOrdersQuery,
): Promise<{ orders: OrderModel[]; total: number }> {
  const where = {
    merchantId: client.merchantId,
    mode: client.mode,
    ...(query.status ? { state: query.status } : {}),
    ...(query.reference !== undefined ? { reference: query.reference } : {}),
    createdAt: createdWithin(query),
  };
  const [orders, total] = await Promise.all([
    context.database.prisma.order.findMany({
      where,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      skip: (query.page - 1) * query.per_page,
      take: query.per_page,
    }),
    query.reference !== undefined
      ? context.database.prisma.order.count({ where })
      : countRows(context, client, "order", query),
  ]);
  return { orders, total };
}
