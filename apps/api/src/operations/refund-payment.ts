import { randomUUID } from "node:crypto";
import type { CreateRefundRequest } from "@tillgate/contract";
import type { Context } from "../context.js";
import { callLedger } from "../ledger/call.js";
import { WalletClosedError } from "../ledger/refusals.js";
import { type RefundRow, refundFromRow } from "../ledger/rows.js";
import type { Client } from "./authenticate-client.js";
import { currencyOf } from "./currencies.js";
import { OperationError, Refusal } from "./errors.js";
import { newRefundId } from "./ids.js";
import { readAmount } from "./read-amount.js";
import type { RefundOfPayment } from "./refund-of-payment.js";
import { requestHash } from "./request-hash.js";

/**
 * Refunds a payment wholly (no amount: all that is left) or in part. Several partial refunds may add up to the payment,
 * never beyond, under any concurrency.
 * @throws OperationError TransactionNotFound, InvalidFields (amount), RefundExceedsPayment, InsufficientBalance,
 * TransactionNotRefundable, IdempotencyKeyReused.
 */
export async function refundPayment(
  context: Context,
  client: Client,
  request: CreateRefundRequest,
): Promise<{ refund: RefundOfPayment; replayed: boolean }> {
  const order = await context.database.prisma.order.findFirst({
    where: { trxId: request.transaction_id, merchantId: client.merchantId, mode: client.mode },
    select: { id: true, currency: true },
  });
  if (!order) throw new OperationError(Refusal.TransactionNotFound);
  const amount =
    request.amount === undefined
      ? null
      : readAmount(request.amount, await currencyOf(context, order.currency));
  const { idempotency_key: key, amount: _asSent, ...fields } = request;
  const hash = requestHash({ ...fields, amount });
  const row = await callLedger<RefundRow & { replayed: boolean }>(
    context,
    `SELECT made.replayed, (made.result).* FROM refund_payment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS made`,
    () => [
      newRefundId(new Date()),
      client.merchantId,
      client.mode,
      request.transaction_id,
      amount,
      request.reason ?? null,
      request.reference ?? null,
      randomUUID(),
      key ?? null,
      hash,
    ],
  ).catch((error: unknown) => {
    throw error instanceof WalletClosedError ? new OperationError(Refusal.TransactionNotRefundable) : error;
  });
  if (!row.replayed) context.hints.changed(order.id);
  return { refund: { ...refundFromRow(row), trxId: request.transaction_id }, replayed: row.replayed };
}
