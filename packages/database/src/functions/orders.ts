import { z } from "zod";
import { ledgerFunction, ledgerGroup, row, rowOnce, value } from "./ledger-function.js";
import { orderRow } from "./rows.js";

export const cancelOrder = ledgerFunction({
  name: "cancel_order",
  parameters: { orderId: "text", mode: "mode", requestId: "text?" },
  returns: row(orderRow),
});

/** Creates orders. A single item with a known idempotency key returns the earlier order. */
export const createOrders = ledgerGroup({
  name: "create_orders",
  parameters: {
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
  returns: rowOnce(orderRow),
});

/** Expires up to `limit` overdue orders, the longest overdue first; returns their IDs. */
export const expireDueOrders = ledgerFunction({
  name: "expire_due_orders",
  parameters: { limit: "int" },
  returns: value(z.string()),
});

/** Expires up to `limit` overdue orders of one merchant and mode; returns their IDs. */
export const expireMerchantOrders = ledgerFunction({
  name: "expire_merchant_orders",
  parameters: { merchantId: "uuid", mode: "mode", limit: "int" },
  returns: value(z.string()),
});

/** Expires an order if it is pending and overdue; returns whether this call expired it. */
export const expireOrder = ledgerFunction({
  name: "expire_order",
  parameters: { orderId: "text", mode: "mode" },
  returns: value(z.boolean()),
});

/** Schedules a retry for an order that failed to expire; returns the order's number of failures. */
export const recordExpiryFailure = ledgerFunction({
  name: "record_expiry_failure",
  parameters: { orderId: "text", error: "text" },
  returns: value(z.int()),
});
