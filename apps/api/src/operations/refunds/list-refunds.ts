import type { ListRefundsQuery } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import { inSnapshot } from "../../readers/in-snapshot.js";
import { type ReadList, readList } from "../../readers/read-list.js";
import { ofPayment, type RefundOfPayment, withTransaction } from "./refund-of-payment.js";

/**
 * One page of the merchant's refunds of its mode, newest first, and how many there are on all pages.
 * @throws OperationError InvalidFields for a cursor that is not of this list.
 */
export const listRefunds = (
  context: Context,
  { merchantId, mode }: Client,
  query: ListRefundsQuery,
): Promise<ReadList<RefundOfPayment>> =>
  inSnapshot(context, async (snapshot) => {
    const list = { ...query, merchantId, mode, kind: "refund" as const };
    const read = async (ids: string[]) =>
      (await snapshot.refund.findMany({ where: { id: { in: ids } }, include: withTransaction })).map(
        ofPayment,
      );
    if (query.transaction_id === undefined) return readList(snapshot, list, read);
    // The payment is the merchant's and of its mode, and so are its refunds: the index of one order's refunds is enough.
    const paid = await snapshot.order.findFirst({
      where: { trxId: query.transaction_id, merchantId, mode },
      select: { id: true },
    });
    if (!paid) return { rows: [], total: query.cursor === undefined ? 0 : null, next: null };
    return readList(snapshot, { ...list, isOne: [Prisma.sql`order_id = ${paid.id}`] }, read);
  });
