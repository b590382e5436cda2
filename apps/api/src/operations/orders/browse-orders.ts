import type { ConsoleOrdersQuery } from "@tillgate/contract";
import { type OrderModel, Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { amountFilters } from "../../readers/amount-filters.js";
import { findKeyedPage, type KeyedPageFound } from "../../readers/find-keyed-page.js";
import { inSnapshot } from "../../readers/in-snapshot.js";
import { ordersMatching } from "../../readers/matching-rows.js";
import { expireOrdersOf } from "./expire-order.js";

/** A page of a list, newest first. */
export type BrowsedPage<Item> = Omit<KeyedPageFound, "ids"> & { items: Item[] };

const PAID_FROM = { amount: Prisma.sql`amount`, currency: Prisma.sql`currency` };

/** What the console's filters ask of orders and refunds that no index of the list serves. */
export async function filtersOf(
  context: Context,
  query: Pick<ConsoleOrdersQuery, "currency" | "min_amount" | "max_amount">,
): Promise<Prisma.Sql[]> {
  return [
    ...(query.currency === undefined ? [] : [Prisma.sql`currency = ${query.currency}`]),
    ...(await amountFilters(context, query, PAID_FROM)),
  ];
}

/** The rows of a page in the order of its ids. */
export function inOrder<Row extends { id: string }>(ids: string[], rows: Row[]): Row[] {
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/**
 * A page of the merchant's orders of its mode by the console's filters, newest first. Overdue ones become EXPIRED first.
 * @throws OperationError InvalidFields for a place that is not in the list.
 */
export async function browseOrders(
  context: Context,
  scope: MerchantScope,
  query: ConsoleOrdersQuery,
): Promise<BrowsedPage<OrderModel>> {
  const { q, method } = query;
  await expireOrdersOf(context, scope);
  const among = q === undefined ? undefined : await ordersMatching(context, scope, q.trim());
  const filters = [
    ...(await filtersOf(context, query)),
    ...(method === undefined ? [] : [Prisma.sql`payment_method = ${method}::payment_method`]),
  ];
  return inSnapshot(context, async (snapshot) => {
    const list = { ...query, merchantId: scope.merchantId, mode: scope.mode, kind: "order" as const };
    const { ids, ...places } = await findKeyedPage(snapshot, { ...list, among, filters });
    const rows = await snapshot.order.findMany({ where: { id: { in: ids } } });
    return { items: inOrder(ids, rows), ...places };
  });
}
