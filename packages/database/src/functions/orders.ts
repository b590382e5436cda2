import { z } from "zod";
import { ledgerFunction, ledgerGroup, row, rowOnce, value } from "./ledger-function.js";
import { orderRow } from "./rows.js";

/** Cancels a payable order. */
export const cancelOrder = ledgerFunction({
  name: "cancel_order",
  takes: { orderId: "text", mode: "mode", requestId: "text?" },
  answers: row(orderRow),
});

/** Creates orders; a single item returns the earlier order of its idempotency key. */
export const createOrders = ledgerGroup({
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
});

/** Expires up to `limit` overdue orders of all merchants, the longest overdue first; returns their ids. */
export const expireDueOrders = ledgerFunction({
  name: "expire_due_orders",
  takes: { limit: "int" },
  answers: value(z.string()),
});

/** Expires up to `limit` overdue orders of one merchant and mode; returns their ids. */
export const expireMerchantOrders = ledgerFunction({
  name: "expire_merchant_orders",
  takes: { merchantId: "uuid", mode: "mode", limit: "int" },
  answers: value(z.string()),
});

/** Expires one order if it is pending and overdue; returns whether this call did. */
export const expireOrder = ledgerFunction({
  name: "expire_order",
  takes: { orderId: "text", mode: "mode" },
  answers: value(z.boolean()),
});

/** Schedules a retry for an order that failed to expire; returns its number of failures. */
export const recordExpiryFailure = ledgerFunction({
  name: "record_expiry_failure",
  takes: { orderId: "text", error: "text" },
  answers: value(z.int()),
});
