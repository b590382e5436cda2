import type { ListPayoutsQuery } from "@tillgate/contract";
import type { PayoutModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Partner } from "../../credentials/authenticate-partner.js";
import { findPage } from "../../readers/find-page.js";
import { inSnapshot } from "../../readers/in-snapshot.js";

/** One page of the merchant's payouts of its mode, newest first, and how many there are on all pages. */
export const listPayouts = (
  context: Context,
  { merchantId, mode }: Partner,
  query: ListPayoutsQuery,
): Promise<{ payouts: PayoutModel[]; total: number }> =>
  inSnapshot(context, async (snapshot) => {
    const list = { ...query, merchantId, mode, kind: "payout" as const };
    const { ids, total } = await findPage(snapshot, list);
    const payouts = await snapshot.payout.findMany({
      where: { id: { in: ids } },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    });
    return { payouts, total };
  });
