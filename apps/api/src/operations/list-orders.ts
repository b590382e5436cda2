import type { ListOrdersQuery } from "@tillgate/contract";
import { type OrderModel, Prisma } from "@tillgate/database";
import type { Context } from "../context.js";
import type { Client } from "./authenticate-client.js";
import { findPage, findPageOf } from "./find-page.js";

/** One page of the merchant's orders of its mode, newest first, and how many there are on all pages. */
export async function listOrders(
  context: Context,
  { merchantId, mode }: Client,
  query: ListOrdersQuery,
): Promise<{ orders: OrderModel[]; total: number }> {
  const list = { ...query, merchantId, mode, kind: "order" as const };
  const { ids, total } =
    query.reference === undefined
      ? await findPage(context, list)
      : await findPageOf(context, list, [
          Prisma.sql`merchant_id = ${merchantId}::uuid`,
          Prisma.sql`mode = ${mode}::mode`,
          Prisma.sql`reference = ${query.reference}`,
        ]);
  const orders = await context.database.prisma.order.findMany({
    where: { id: { in: ids } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  return { orders, total };
}
