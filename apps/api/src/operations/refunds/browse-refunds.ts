import type { ConsoleRefundsQuery } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import type { InTimeZone } from "../../readers/day-range.js";
import { findKeyedPage, inOrder } from "../../readers/find-keyed-page.js";
import { inSnapshot } from "../../readers/in-snapshot.js";
import { type BrowsedPage, totalsOf } from "../../readers/list-totals.js";
import { refundsMatching } from "../../readers/matching-rows.js";
import { moneyFilters } from "../../readers/money-filters.js";
import { ofPayment, type RefundOfPayment, withTransaction } from "./refund-of-payment.js";

/**
 * A page of the merchant's refunds of its mode by the console's filters and in its order, newest first where none is asked for.
 * @throws OperationError InvalidFields for a place that is not in the list.
 */
export async function browseRefunds(
  context: Context,
  { merchantId, mode }: MerchantScope,
  query: InTimeZone<ConsoleRefundsQuery>,
): Promise<BrowsedPage<RefundOfPayment>> {
  const { q } = query;
  const matches = q === undefined ? undefined : await refundsMatching(context, { merchantId, mode }, q);
  const filters = await moneyFilters(context, query, Prisma.sql`currency`);
  return inSnapshot(context, async (snapshot) => {
    const list = { ...query, merchantId, mode, kind: "refund" as const, matches, filters };
    const { ids, ...places } = await findKeyedPage(snapshot, list);
    const rows = await snapshot.refund.findMany({ where: { id: { in: ids } }, include: withTransaction });
    return { items: inOrder(ids, rows).map(ofPayment), ...places, totals: await totalsOf(snapshot, list) };
  });
}
