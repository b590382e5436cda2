import { Refusal } from "@tillgate/contract";
import { firstRowOf, rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { OperationError } from "../../operation-error.js";
import { ACTIVITY_COLUMNS, ACTIVITY_JOINS, activitySchema } from "./activity.js";
import type { Shopper } from "./read-shopper.js";

/** More refunds of a payment its receipt does not list. */
const MAX_REFUNDS = 100;

const text = z.string().nullable();
const receiptSchema = activitySchema.extend({
  token: text,
  trxId: text,
  reference: text,
  rate: text,
  paymentTransferId: text,
  payoutTrxId: text,
  conversionRate: text,
  conversionFrom: text,
  conversionTo: text,
});
const refundSchema = z.object({
  id: z.string(),
  status: z.enum(["pending", "completed"]),
  amount: z.bigint(),
  received: z.bigint().nullable(),
  transferId: text,
  at: z.date(),
});

/** A refund of a payment: minor units of the merchant's currency, and of the wallet's where they came back. */
export type ReceiptRefund = z.output<typeof refundSchema>;
export type Receipt = z.output<typeof receiptSchema> & { refunds: ReceiptRefund[] };

/** Of a transfer within one wallet user there may be several entries: what left a wallet comes first. */
const RECEIPT = `
  SELECT ${ACTIVITY_COLUMNS}, o.token, o.trx_id AS "trxId", coalesce(o.order_number, o.reference) AS reference,
    trim_scale(q.rate)::text AS rate, o.transfer_id AS "paymentTransferId",
    p.trx_id AS "payoutTrxId", trim_scale(cv.rate)::text AS "conversionRate", cv.from_currency AS "conversionFrom", cv.to_currency AS "conversionTo"
  FROM entries n JOIN accounts a ON a.id = n.account_id AND a.wallet_user_id = $1 AND a.kind = 'shopper'
  ${ACTIVITY_JOINS}
  LEFT JOIN shopper_quotes q ON q.id = o.quote_id
  WHERE n.transfer_id = $2 AND ($3::timestamptz IS NULL OR t.created_at > $3) ORDER BY n.amount LIMIT 1`;

const REFUNDS = `
  SELECT id, status::text AS status, amount, payer_amount AS received, transfer_id AS "transferId", coalesce(settled_at, created_at) AS at
  FROM refunds WHERE order_id = $1 AND status <> 'failed' ORDER BY created_at, id LIMIT $2`;

/**
 * The receipt of one movement of a shopper's wallets, a payment's with its refunds.
 * @throws OperationError ActivityNotFound, also for another shopper's.
 */
export async function readReceipt(
  { database: { pool } }: Context,
  { id: shopperId, pinResetAt }: Pick<Shopper, "id" | "pinResetAt">,
  id: string,
): Promise<Receipt> {
  const found = isIssuedId(id)
    ? await firstRowOf(pool, receiptSchema, RECEIPT, [shopperId, id, pinResetAt])
    : undefined;
  if (!found) throw new OperationError(Refusal.ActivityNotFound);
  const { kind, orderId } = found;
  const refunds = kind === "payment" ? await rowsOf(pool, refundSchema, REFUNDS, [orderId, MAX_REFUNDS]) : [];
  return { ...found, refunds };
}
