import { FieldRule, Refusal } from "@tillgate/contract";
import { ledgerSet, rowOnce } from "../ledger-function.js";
import { orderRow } from "../rows.js";

/** Writes new orders; of one, finds the order that the same idempotency key made. */
export const createOrders = ledgerSet({
  name: "create_orders",
  takes: {
    id: "text",
    token: "text",
    merchantId: "uuid",
    mode: "mode",
    credentialId: "uuid",
    amount: "bigint",
    currency: "text",
    paymentMethod: "payment_method",
    reference: "text?",
    description: "text?",
    terminalId: "text?",
    orderNumber: "text?",
    custom: "text?",
    callbackUrl: "text?",
    returnUrl: "text?",
    cancelUrl: "text?",
    expiresInSeconds: "int",
    operation: "text",
    idempotencyKey: "text?",
    requestHash: "bytea",
    metadata: "text?",
    locale: "text?",
    requestId: "text?",
    traceparent: "text?",
  },
  answers: rowOnce(orderRow),
  refuses: {
    TG023: { field: "currency", rule: FieldRule.OwnCurrency.text },
    TG025: { field: "currency", rule: FieldRule.ActiveCurrency.text },
    TG030: Refusal.IdempotencyKeyReused,
  },
});
