import type { OrderModel, RefundModel } from "@tillgate/database";

/** A refund with the transaction it belongs to, and what the shop calls its order. */
export type RefundOfPayment = RefundModel & {
  trxId: string;
  orderReference: string | null;
  orderNumber: string | null;
};

/** What a query must include for {@link ofPayment}. */
export const withTransaction = {
  order: { select: { trxId: true, reference: true, orderNumber: true } },
} as const;

/** @throws Error for a refund of an order that was never paid, which the database does not allow. */
export function ofPayment({
  order: { trxId, reference, orderNumber },
  ...refund
}: RefundModel & { order: Pick<OrderModel, "trxId" | "reference" | "orderNumber"> }): RefundOfPayment {
  if (trxId === null) throw new Error(`refund ${refund.id} belongs to an unpaid order`);
  return { ...refund, trxId, orderReference: reference, orderNumber };
}
