import { type ConsoleRefundsQuery, ErrorCode, type ListRefundsQuery } from "@tillgate/contract";
import { type OrderModel, Prisma, type RefundModel } from "@tillgate/database";
import { computePayerShare } from "@tillgate/money";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { Client, MerchantScope } from "../../identity/credentials/authenticate.js";
import { type InTimeZone, parseMoneyFilters } from "../../pagination/filters.js";
import { findKeysetPage, sortByIds } from "../../pagination/keyset-page.js";
import { type ReadList, readList } from "../../pagination/list.js";
import { matchRefunds } from "../../pagination/matching-rows.js";
import { inSnapshot } from "../../pagination/snapshot.js";
import { type BrowsedPage, readTotals } from "../../pagination/totals.js";

export type RefundOfPayment = RefundModel & {
  trxId: string;
  orderReference: string | null;
  orderNumber: string | null;
};

export const withTransaction = {
  order: { select: { trxId: true, reference: true, orderNumber: true } },
} as const;

/** @throws Error for a refund of an order that was never paid, which the database prevents. */
export function withPaymentIds({
  order: { trxId, reference, orderNumber },
  ...refund
}: RefundModel & { order: Pick<OrderModel, "trxId" | "reference" | "orderNumber"> }): RefundOfPayment {
  if (trxId === null) throw new Error(`refund ${refund.id} belongs to an unpaid order`);
  return { ...refund, trxId, orderReference: reference, orderNumber };
}

/** @throws OperationError RefundNotFound, including for another merchant's or the other mode's refund. */
export async function getRefund(
  context: Context,
  client: MerchantScope,
  refundId: string,
): Promise<RefundOfPayment> {
  const row = await context.database.prisma.refund.findFirst({
    where: { id: refundId, merchantId: client.merchantId, mode: client.mode },
    include: withTransaction,
  });
  if (!row) throw new OperationError(ErrorCode.RefundNotFound);
  return withPaymentIds(row);
}

/** Minor units of the payer's currency. */
export type Received = { minor: bigint; currency: string };

type Paid = Pick<OrderModel, "amount" | "currency" | "refunded" | "payerAmount" | "payerCurrency">;
export const PAID_FIELDS = {
  amount: true,
  currency: true,
  refunded: true,
  payerAmount: true,
  payerCurrency: true,
} as const;

/**
 * Returns what the payer received; for a pending refund, what the payer would receive if it were approved now. Null if the payment was not converted,
 * or the refund failed.
 */
export function refundReceived(
  { status, amount, payerAmount }: Pick<RefundModel, "status" | "amount" | "payerAmount">,
  order: Paid,
): Received | null {
  const { payerAmount: paid, payerCurrency: currency } = order;
  if (paid === null || currency === null || currency === order.currency || status === "failed") return null;
  const minor =
    payerAmount ?? computePayerShare({ paid, price: order.amount, refunded: order.refunded }, amount);
  return { minor, currency };
}

/** Returns the results of {@link refundReceived} by refund ID. */
export async function findReceivedRefunds(
  { database: { prisma } }: Context,
  refunds: readonly RefundModel[],
): Promise<Map<string, Received | null>> {
  const orders = await prisma.order.findMany({
    where: { id: { in: [...new Set(refunds.map(({ orderId }) => orderId))] } },
    select: { id: true, ...PAID_FIELDS },
  });
  const byId = new Map(orders.map((order) => [order.id, order]));
  return new Map(
    refunds.map((refund) => {
      const order = byId.get(refund.orderId);
      return [refund.id, order ? refundReceived(refund, order) : null];
    }),
  );
}

/** Lists refunds. `total` is counted only without a cursor. @throws OperationError InvalidFields for a cursor that is not in this list. */
export const listRefunds = (
  context: Context,
  { merchantId, mode }: Client,
  query: ListRefundsQuery,
): Promise<ReadList<RefundOfPayment>> =>
  inSnapshot(context, async (snapshot) => {
    const list = { ...query, merchantId, mode, kind: "refund" as const };
    const loadRefunds = async (ids: string[]) =>
      (await snapshot.refund.findMany({ where: { id: { in: ids } }, include: withTransaction })).map(
        withPaymentIds,
      );
    if (query.transaction_id === undefined) return readList(snapshot, list, loadRefunds);
    // The payment belongs to the merchant and mode, and so do its refunds, so the index by order is enough.
    const paid = await snapshot.order.findFirst({
      where: { trxId: query.transaction_id, merchantId, mode },
      select: { id: true },
    });
    if (!paid) return { rows: [], total: query.cursor === undefined ? 0 : null, next: null };
    return readList(snapshot, { ...list, indexed: [Prisma.sql`order_id = ${paid.id}`] }, loadRefunds);
  });

/** @throws OperationError InvalidFields for a cursor that is not in the list. */
export async function browseRefunds(
  context: Context,
  { merchantId, mode }: MerchantScope,
  query: InTimeZone<ConsoleRefundsQuery>,
): Promise<BrowsedPage<RefundOfPayment>> {
  const { q } = query;
  const matches = q === undefined ? undefined : await matchRefunds(context, { merchantId, mode }, q);
  const filters = await parseMoneyFilters(context, query, Prisma.sql`currency`);
  return inSnapshot(context, async (snapshot) => {
    const list = { ...query, merchantId, mode, kind: "refund" as const, matches, filters };
    const { ids, ...cursors } = await findKeysetPage(snapshot, list);
    const rows = await snapshot.refund.findMany({ where: { id: { in: ids } }, include: withTransaction });
    return {
      items: sortByIds(ids, rows).map(withPaymentIds),
      ...cursors,
      totals: await readTotals(snapshot, list),
    };
  });
}
