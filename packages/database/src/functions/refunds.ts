import { ledgerFunction, ledgerGroup, row, rowOnce } from "./ledger-function.js";
import { refundRow } from "./rows.js";

/** Approves or rejects a pending refund on behalf of an administrator, with an audit record. */
export const decideRefund = ledgerFunction({
  name: "decide_refund",
  parameters: {
    refundId: "text",
    approve: "boolean",
    transferId: "uuid",
    administratorId: "uuid",
    reason: "text?",
  },
  returns: row(refundRow),
});

/** Refunds `amount` (minor units of the order's currency; null for the remainder), or holds it until an administrator decides. */
export const refundPayments = ledgerGroup({
  name: "refund_payments",
  parameters: {
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
  returns: rowOnce(refundRow),
});
