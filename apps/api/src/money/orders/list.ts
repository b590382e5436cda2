import type { ConsoleOrder, ConsoleOrdersQuery, ListOrdersQuery } from "@tillgate/contract";
import { type OrderModel, Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Client, MerchantScope } from "../../identity/credentials/authenticate.js";
import { type InTimeZone, parseMoneyFilters } from "../../pagination/filters.js";
import { findKeysetPage, sortByIds } from "../../pagination/keyset-page.js";
import { type ReadList, readList } from "../../pagination/list.js";
import { matchOrders } from "../../pagination/matching-rows.js";
import { inSnapshot } from "../../pagination/snapshot.js";
import { type BrowsedPage, readTotals } from "../../pagination/totals.js";
import { expireMerchantOrders } from "./expire.js";

/**
 * Lists orders, newest first, after setting overdue orders to EXPIRED. `total` is counted only without a cursor.
 * @throws OperationError InvalidFields for a cursor that is not in this list.
 */
export async function listOrders(
  context: Context,
  client: Client,
  query: ListOrdersQuery,
): Promise<ReadList<OrderModel>> {
  const { merchantId, mode } = client;
  await expireMerchantOrders(context, client);
  return inSnapshot(context, (snapshot) =>
    readList(snapshot, { ...query, merchantId, mode, kind: "order" }, (ids) =>
      snapshot.order.findMany({ where: { id: { in: ids } } }),
    ),
  );
}

/** Lists orders for the console, after setting overdue orders to EXPIRED. @throws OperationError InvalidFields for a cursor not in the list. */
export async function browseOrders(
  context: Context,
  scope: MerchantScope,
  query: InTimeZone<ConsoleOrdersQuery>,
): Promise<BrowsedPage<OrderModel>> {
  const { q, method } = query;
  await expireMerchantOrders(context, scope);
  const matches = q === undefined ? undefined : await matchOrders(context, scope, q);
  const filters = [
    ...(await parseMoneyFilters(context, query, Prisma.sql`currency`)),
    ...(method === undefined ? [] : [Prisma.sql`payment_method = ${method}::payment_method`]),
  ];
  return inSnapshot(context, async (snapshot) => {
    const { merchantId, mode } = scope;
    const list = { ...query, merchantId, mode, kind: "order" as const, matches, filters };
    const { ids, ...cursors } = await findKeysetPage(snapshot, list);
    const rows = await snapshot.order.findMany({ where: { id: { in: ids } } });
    return { items: sortByIds(ids, rows), ...cursors, totals: await readTotals(snapshot, list) };
  });
}

export const consoleStatus = ({
  state,
  refunded,
}: Pick<OrderModel, "state" | "refunded">): ConsoleOrder["status"] =>
  state === "PAID" && refunded > 0n ? "PARTLY_REFUNDED" : state;
