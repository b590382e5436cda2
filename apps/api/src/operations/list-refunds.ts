import type { ListRefundsQuery } from "@tillgate/contract";
import type { Context } from "../context.js";
import type { Client } from "./authenticate-client.js";
import { countRows } from "./count-rows.js";
import { createdWithin } from "./day-range.js";
import { ofPayment, type RefundOfPayment, withTransaction } from "./refund-of-payment.js";

/** One page of the merchant's refunds of its mode, newest first, and how many there are on all pages. */
export async function listRefunds(
  context: Context,
  client: Client,
  query: ListRefundsQuery,
): Promise<{ refunds: RefundOfPayment[]; total: number }> {
  const where = {
    merchantId: client.merchantId,
    mode: client.mode,
    ...(query.status ? { status: query.status } : {}),
    ...(query.transaction_id !== undefined ? { order: { trxId: query.transaction_id } } : {}),
    createdAt: createdWithin(query),
  };
  const [rows, total] = await Promise.all([
    context.database.prisma.refund.findMany({
      where,
      include: withTransaction,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      skip: (query.page - 1) * query.per_page,
      take: query.per_page,
    }),
    query.transaction_id !== undefined
      ? context.database.prisma.refund.count({ where })
      : countRows(context, client, "refund", query),
  ]);
  return { refunds: rows.map(ofPayment), total };
}
