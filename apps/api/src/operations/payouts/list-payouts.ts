import type { ListPayoutsQuery } from "@tillgate/contract";
import { type PayoutModel, Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Partner } from "../../credentials/authenticate-partner.js";
import { findPage, findPageOf } from "../../readers/find-page.js";
import { inSnapshot } from "../../readers/in-snapshot.js";

/** One page of the merchant's payouts of its mode, newest first, and how many there are on all pages. */
export const listPayouts = (
  context: Context,
  { merchantId, mode }: Partner,
  query: ListPayoutsQuery,
): Promise<{ payouts: PayoutModel[]; total: number }> =>
  inSnapshot(context, async (snapshot) => {
    const list = { ...query, merchantId, mode, kind: "payout" as const };
    const { ids, total } =
      query.reference === undefined
        ? await findPage(snapshot, list)
        : await findPageOf(snapshot, list, [
            Prisma.sql`merchant_id = ${merchantId}::uuid`,
            Prisma.sql`mode = ${mode}::mode`,
            Prisma.sql`reference = ${query.reference}`,
          ]);
    const payouts = await snapshot.payout.findMany({
      where: { id: { in: ids } },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    });
    return { payouts, total };
  });
