import type { ConsoleOrdersQuery } from "@tillgate/contract";
import { type OrderModel, Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import type { InTimeZone } from "../../readers/day-range.js";
import { findKeyedPage, inOrder } from "../../readers/find-keyed-page.js";
import { inSnapshot } from "../../readers/in-snapshot.js";
import { type BrowsedPage, totalsOf } from "../../readers/list-totals.js";
import { ordersMatching } from "../../readers/matching-rows.js";
import { moneyFilters } from "../../readers/money-filters.js";
import { expireOrdersOf } from "./expire-order.js";

/**
 * A page of the merchant's orders of its mode by the console's filters and in its order, newest first where none is asked for. Overdue ones become EXPIRED first.
 * @throws OperationError InvalidFields for a place that is not in the list.
 */
export async function browseOrders(
  context: Context,
  scope: MerchantScope,
  query: InTimeZone<ConsoleOrdersQuery>,
): Promise<BrowsedPage<OrderModel>> {
  const { q, method } = query;
  await expireOrdersOf(context, scope);
  const matches = q === undefined ? undefined : await ordersMatching(context, scope, q);
  const filters = [
    ...(await moneyFilters(context, query, Prisma.sql`currency`)),
    ...(method === undefined ? [] : [Prisma.sql`payment_method = ${method}::payment_method`]),
  ];
  return inSnapshot(context, async (snapshot) => {
    const { merchantId, mode } = scope;
    const list = { ...query, merchantId, mode, kind: "order" as const, matches, filters };
    const { ids, ...places } = await findKeyedPage(snapshot, list);
    const rows = await snapshot.order.findMany({ where: { id: { in: ids } } });
    return { items: inOrder(ids, rows), ...places, totals: await totalsOf(snapshot, list) };
  });
}
