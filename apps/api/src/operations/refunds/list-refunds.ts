import type { ListRefundsQuery } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import { type FoundPage, findPage, findPageOf } from "../../readers/find-page.js";
import { inSnapshot } from "../../readers/in-snapshot.js";
import { ofPayment, type RefundOfPayment, withTransaction } from "./refund-of-payment.js";

/** One page of the merchant's refunds of its mode, newest first, and how many there are on all pages. */
export const listRefunds = (
  context: Context,
  { merchantId, mode }: Client,
  query: ListRefundsQuery,
): Promise<{ refunds: RefundOfPayment[]; total: number }> =>
  inSnapshot(context, async (snapshot) => {
    const list = { ...query, merchantId, mode, kind: "refund" as const };
    let found: FoundPage;
    if (query.transaction_id === undefined) found = await findPage(snapshot, list);
    else {
      // The payment is the merchant's and of its mode, and so are its refunds: the index of one order's refunds is enough.
      const paid = await snapshot.order.findFirst({
        where: { trxId: query.transaction_id, merchantId, mode },
        select: { id: true },
      });
      if (!paid) return { refunds: [], total: 0 };
      found = await findPageOf(snapshot, list, [Prisma.sql`order_id = ${paid.id}`]);
    }
    const rows = await snapshot.refund.findMany({
      where: { id: { in: found.ids } },
      include: withTransaction,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    });
    return { refunds: rows.map(ofPayment), total: found.total };
  });
