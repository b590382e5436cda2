import { Refusal } from "@tillgate/contract";
import { moneyDoesNotMove } from "../ledger/book-transfers.js";
import { ledgerFunction, rowOnce } from "../ledger-function.js";
import { refundRow } from "../rows.js";

/** Refunds a payment: an amount, or all that is left of it (null). */
export const refundPayment = ledgerFunction({
  name: "refund_payment",
  takes: {
    refundId: "text",
    merchantId: "uuid",
    mode: "mode",
    trxId: "text",
    amount: "bigint?",
    reason: "text?",
    reference: "text?",
    transferId: "uuid",
    idempotencyKey: "text?",
    requestHash: "bytea",
    metadata: "text?",
    credentialId: "uuid?",
    requestId: "text?",
  },
  answers: rowOnce(refundRow),
  refuses: {
    ...moneyDoesNotMove,
    TG002: Refusal.TransactionNotFound,
    TG013: Refusal.MerchantSuspended,
    TG021: Refusal.RefundExceedsPayment,
    TG030: Refusal.IdempotencyKeyReused,
  },
});
