import type { ConsolePayoutsQuery } from "@tillgate/contract";
import { type PayoutModel, Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import type { InTimeZone } from "../../readers/day-range.js";
import { findKeyedPage, inOrder } from "../../readers/find-keyed-page.js";
import { inSnapshot } from "../../readers/in-snapshot.js";
import { type BrowsedPage, totalsOf } from "../../readers/list-totals.js";
import { payoutsMatching } from "../../readers/matching-rows.js";
import { moneyFilters } from "../../readers/money-filters.js";

/**
 * A page of the merchant's payouts of its mode by the console's filters and in its order, newest first where none is asked for.
 * @throws OperationError InvalidFields for a place that is not in the list.
 */
export async function browsePayouts(
  context: Context,
  { merchantId, mode }: MerchantScope,
  query: InTimeZone<ConsolePayoutsQuery>,
): Promise<BrowsedPage<PayoutModel>> {
  const { q } = query;
  const matches = q === undefined ? undefined : await payoutsMatching(context, { merchantId, mode }, q);
  const filters = await moneyFilters(context, query, Prisma.sql`sender_currency`);
  return inSnapshot(context, async (snapshot) => {
    const list = { ...query, merchantId, mode, kind: "payout" as const, matches, filters };
    const { ids, ...places } = await findKeyedPage(snapshot, list);
    const rows = await snapshot.payout.findMany({ where: { id: { in: ids } } });
    return { items: inOrder(ids, rows), ...places, totals: await totalsOf(snapshot, list) };
  });
}
