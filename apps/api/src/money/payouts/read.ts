import { type ConsolePayoutsQuery, ErrorCode, type ListPayoutsQuery } from "@tillgate/contract";
import { type PayoutModel, Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope, Partner } from "../../identity/credentials/authenticate.js";
import { type InTimeZone, parseMoneyFilters } from "../../pagination/filters.js";
import { findKeysetPage, sortByIds } from "../../pagination/keyset-page.js";
import { type ReadList, readList } from "../../pagination/list.js";
import { matchPayouts } from "../../pagination/matching-rows.js";
import { inSnapshot } from "../../pagination/snapshot.js";
import { type BrowsedPage, readTotals } from "../../pagination/totals.js";

/** @throws OperationError PayoutNotFound, including for another merchant's or the other mode's payout. */
export async function getPayout(
  { database: { prisma } }: Context,
  { merchantId, mode }: MerchantScope,
  id: string,
): Promise<PayoutModel> {
  const payout = await prisma.payout.findFirst({ where: { id, merchantId, mode } });
  if (!payout) throw new OperationError(ErrorCode.PayoutNotFound);
  return payout;
}

export type PayoutView = {
  payout: PayoutModel;
  recipient: { name: string; email: string | null; phone: string | null };
};

/** @throws the errors of {@link getPayout}. */
export async function viewPayout(context: Context, scope: MerchantScope, id: string): Promise<PayoutView> {
  const payout = await getPayout(context, scope, id);
  const recipient = await context.database.prisma.walletUser.findUniqueOrThrow({
    where: { id: payout.walletUserId },
    select: { name: true, email: true, phone: true },
  });
  return { payout, recipient };
}

/** Lists payouts. `total` is counted only without a cursor. @throws OperationError InvalidFields for a cursor that is not in this list. */
export const listPayouts = (
  context: Context,
  { merchantId, mode }: Partner,
  query: ListPayoutsQuery,
): Promise<ReadList<PayoutModel>> =>
  inSnapshot(context, (snapshot) =>
    readList(snapshot, { ...query, merchantId, mode, kind: "payout" }, (ids) =>
      snapshot.payout.findMany({ where: { id: { in: ids } } }),
    ),
  );

/** @throws OperationError InvalidFields for a cursor that is not in the list. */
export async function browsePayouts(
  context: Context,
  { merchantId, mode }: MerchantScope,
  query: InTimeZone<ConsolePayoutsQuery>,
): Promise<BrowsedPage<PayoutModel>> {
  const { q } = query;
  const matches = q === undefined ? undefined : await matchPayouts(context, { merchantId, mode }, q);
  const filters = await parseMoneyFilters(context, query, Prisma.sql`sender_currency`);
  return inSnapshot(context, async (snapshot) => {
    const list = { ...query, merchantId, mode, kind: "payout" as const, matches, filters };
    const { ids, ...cursors } = await findKeysetPage(snapshot, list);
    const rows = await snapshot.payout.findMany({ where: { id: { in: ids } } });
    return { items: sortByIds(ids, rows), ...cursors, totals: await readTotals(snapshot, list) };
  });
}
