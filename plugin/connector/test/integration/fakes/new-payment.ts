import { randomUUID } from "node:crypto";
import type { NewPayment } from "../../../src/records/records.js";

/** Returns a payment as it is stored before the request to Tillgate. */
export const newPayment = (storeOrderId: number, changes: Partial<NewPayment> = {}): NewPayment => ({
  storeOrderId,
  amountMinor: 4150n,
  currency: "EUR",
  credential: { mode: "sandbox", clientId: "ci_demo" },
  checkInMs: 60_000,
  request: {
    amount: "41.50",
    currency: "EUR",
    payment_method: "both",
    reference: String(storeOrderId),
    description: "Order",
    callback_url: "http://connector.test/",
    return_url: "http://store.test/",
    cancel_url: "http://store.test/",
    expires_in: 900,
    idempotency_key: randomUUID(),
  },
  ...changes,
});
