import { z } from "zod";
import { TOP_UP_REFERENCE } from "./top-up.js";

export const statementEntrySchema = z.object({
  entryId: z.bigint(),
  at: z.date(),
  kind: z.enum(["payment", "refund", "payout", "hold", "hold_return", "deposit", "withdrawal"]),
  /** The entry of the same wallet that this entry corrects. */
  corrects: z.bigint().nullable(),
  amount: z.bigint(),
  /** The part of the amount that is a payout's fee: positive if it left the wallet, negative if it entered the wallet. */
  fee: z.bigint(),
  /** As read, the wallet's current balance; in a {@link StatementEntry}, the balance after the entry. */
  balance: z.bigint(),
  orderId: z.string().nullable(),
  refundId: z.string().nullable(),
  payoutId: z.string().nullable(),
  reference: z.string().nullable(),
  /** The refunded order and its reference. */
  refundedOrderId: z.string().nullable(),
  orderReference: z.string().nullable(),
  /** The shop's order number of the paid or refunded order. */
  orderNumber: z.string().nullable(),
  /** Transaction ID of the payment, the refunded payment or the payout. */
  trxId: z.string().nullable(),
  metadata: z.string().nullable(),
});
/** A line of a statement, in minor units. */
export type StatementEntry = z.output<typeof statementEntrySchema>;

/** The payout of an entry `n`. Most transfers are payments, for which neither index is read. */
const PAYOUT_JOIN = `
  LEFT JOIN LATERAL (
    SELECT id, reference, fee, trx_id, metadata FROM payouts WHERE transfer_id = t.id AND t.kind IN ('payout', 'hold_return')
    UNION ALL SELECT id, reference, fee, trx_id, metadata FROM payouts WHERE hold_transfer_id = t.id AND t.kind = 'hold' LIMIT 1) AS p ON true`;

/** `n` is an entry of the account `a`. */
export const ENTRY_COLUMNS = `
  n.id AS "entryId", t.created_at AS at, t.kind::text AS kind, n.amount, entry_fee(n.amount, p.fee) AS fee, a.balance,
    (SELECT id FROM entries WHERE transfer_id = t.corrects AND account_id = a.id) AS corrects,
    o.id AS "orderId", r.id AS "refundId", p.id AS "payoutId", refunded.id AS "refundedOrderId",
    coalesce(o.reference, r.reference, p.reference,
      CASE WHEN starts_with(t.external_reference, '${TOP_UP_REFERENCE} ' || a.id || ' ') THEN '${TOP_UP_REFERENCE}' ELSE t.external_reference END
    ) AS reference,
    coalesce(refunded.reference, refunded.order_number) AS "orderReference", coalesce(o.order_number, refunded.order_number) AS "orderNumber",
    coalesce(o.trx_id, refunded.trx_id, p.trx_id) AS "trxId", coalesce(o.metadata, r.metadata, p.metadata) AS metadata`;
export const ENTRY_JOINS = `
  JOIN transfers t ON t.id = n.transfer_id
  LEFT JOIN orders o ON o.transfer_id = t.id AND o.mode = a.mode
  LEFT JOIN LATERAL (
    SELECT id, reference, order_id, metadata FROM refunds WHERE transfer_id = t.id
    UNION ALL SELECT id, reference, order_id, metadata FROM refunds WHERE hold_transfer_id = t.id LIMIT 1) AS r ON true
  LEFT JOIN orders refunded ON refunded.id = r.order_id ${PAYOUT_JOIN}`;

/** Sets the balance after each entry. @param rows oldest first. @param before the balance before the first row. */
export function withBalances(rows: readonly StatementEntry[], before: bigint): StatementEntry[] {
  let balance = before;
  return rows.map((row) => {
    balance += row.amount;
    return { ...row, balance };
  });
}
