import type { ListRefundsQuery } from "@tillgate/contract";
import type { Prisma } from "@tillgate/database";
import type { Context } from "../context.js";
import type { Client } from "./authenticate-client.js";
import { createdWithin } from "./day-range.js";
import { findPage } from "./find-page.js";
import { ofPayment, type RefundOfPayment, withTransaction } from "./refund-of-payment.js";

/** One page of the merchant's refunds of its mode, newest first, and how many there are on all pages. */
export async function listRefunds(
  context: Context,
  client: Client,
  query: ListRefundsQuery,
): Promise<{ refunds: RefundOfPayment[]; total: number }> {
  const { merchantId, mode } = client;
  const { refund } = context.database.prisma;
  const listed = {
    include: withTransaction,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: query.per_page,
  } satisfies Prisma.RefundFindManyArgs;
  const where = { merchantId, mode, ...(query.status ? { status: query.status } : {}) };
  if (query.transaction_id !== undefined) {
    // The refunds of one payment are few.
    const ofOne = { ...where, order: { trxId: query.transaction_id }, createdAt: createdWithin(query) };
    const [rows, total] = await Promise.all([
      refund.findMany({ ...listed, where: ofOne, skip: (query.page - 1) * query.per_page }),
      refund.count({ where: ofOne }),
    ]);
    return { refunds: rows.map(ofPayment), total };
  }
  const { total, start } = await findPage(context, { ...query, merchantId, mode, kind: "refund" });
  if (!start) return { refunds: [], total };
  const rows = await refund.findMany({
    ...listed,
    where: { ...where, createdAt: { ...createdWithin(query), lt: start.before } },
    skip: start.skip,
  });
  return { refunds: rows.map(ofPayment), total };
}
