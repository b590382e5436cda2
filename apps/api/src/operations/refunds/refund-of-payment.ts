import type { RefundModel } from "@tillgate/database";

/** A refund with the transaction it belongs to. */
export type RefundOfPayment = RefundModel & { trxId: string };

/** What a query must include for {@link ofPayment}. */
export const withTransaction = { order: { select: { trxId: true } } } as const;

/** @throws Error for a refund of an order that was never paid, which the database does not allow. */
export function ofPayment({
  order,
  ...refund
}: RefundModel & { order: { trxId: string | null } }): RefundOfPayment {
  if (order.trxId === null) throw new Error(`refund ${refund.id} belongs to an unpaid order`);
  return { ...refund, trxId: order.trxId };
}
