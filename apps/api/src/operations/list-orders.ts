import type { ListOrdersQuery } from "@tillgate/contract";
import type { OrderModel, Prisma } from "@tillgate/database";
import type { Context } from "../context.js";
import type { Client } from "./authenticate-client.js";
import { createdWithin } from "./day-range.js";
import { findPage } from "./find-page.js";

/** One page of the merchant's orders of its mode, newest first, and how many there are on all pages. */
export async function listOrders(
  context: Context,
  client: Client,
  query: ListOrdersQuery,
): Promise<{ orders: OrderModel[]; total: number }> {
  const { merchantId, mode } = client;
  const { order } = context.database.prisma;
  const listed = {
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: query.per_page,
  } satisfies Prisma.OrderFindManyArgs;
  const where = { merchantId, mode, ...(query.status ? { state: query.status } : {}) };
  if (query.reference !== undefined) {
    // The orders of one reference are few.
    const ofOne = { ...where, reference: query.reference, createdAt: createdWithin(query) };
    const [orders, total] = await Promise.all([
      order.findMany({ ...listed, where: ofOne, skip: (query.page - 1) * query.per_page }),
      order.count({ where: ofOne }),
    ]);
    return { orders, total };
  }
  const { total, start } = await findPage(context, { ...query, merchantId, mode, kind: "order" });
  if (!start) return { orders: [], total };
  const orders = await order.findMany({
    ...listed,
    where: { ...where, createdAt: { ...createdWithin(query), lt: start.before } },
    skip: start.skip,
  });
  return { orders, total };
}
