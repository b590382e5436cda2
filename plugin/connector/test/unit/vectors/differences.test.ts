import { expect, it } from "vitest";
import { z } from "zod";
import { toFact } from "../../../src/payments/facts.js";
import { noteFields, toSituation } from "../../../src/payments/situation.js";
import type { PlacedPayment } from "../../../src/records/records.js";
import { loadRules } from "../../../src/rules.js";
import type { StoreOrder } from "../../../src/store/store-access.js";
import { readVectors } from "./read-vectors.js";

const { cases } = readVectors(
  "differences",
  z.strictObject({
    cases: z.array(
      z.strictObject({
        name: z.string(),
        store: z.strictObject({ total: z.string(), currency: z.string(), number: z.string() }),
        requested: z.strictObject({ amount_minor: z.string(), currency: z.string(), reference: z.string() }),
        reported: z.strictObject({ amount: z.number(), currency: z.string(), reference: z.string() }),
        difference: z.enum(["order_total", "requested", "reference"]),
        amount: z.string(),
        text: z.string(),
      }),
    ),
  }),
);

const rules = loadRules();

it.each(cases)("the note on a mismatched payment states two different amounts: $name", (one) => {
  const { store, requested, reported } = one;
  const order: StoreOrder = {
    ...store,
    id: 1,
    status: "pending",
    isPayable: true,
    isPaid: false,
    orderKey: "wc_order_1",
    paymentMethod: "tillgate",
    transactionId: "",
    modifiedAt: null,
    hasRefunds: false,
    items: [],
  };
  const attempt: PlacedPayment = {
    id: 1,
    storeOrderId: 1,
    state: "pending",
    credential: null,
    isCurrent: true,
    cancelReason: null,
    trxId: null,
    amountMinor: BigInt(requested.amount_minor),
    currency: requested.currency,
    request: {
      amount: "41.50",
      currency: requested.currency,
      payment_method: "both",
      reference: requested.reference,
      description: "Order",
      callback_url: "https://connector.example/",
      return_url: "https://shop.example/",
      cancel_url: "https://shop.example/",
      expires_in: 900,
      idempotency_key: "key",
    },
    order: {
      tillgateOrderId: "POS-20261121-ABC234",
      paymentUrl: "https://pay.example/",
      qrData: null,
      expiresAt: new Date(0),
    },
  };
  const fact = toFact({
    id: "evt_01234567890123456789",
    event: "pos.order.paid",
    timestamp: "2026-11-21T00:00:00+00:00",
    data: {
      order_id: "POS-20261121-ABC234",
      ...reported,
      status: "PAID",
      terminal_id: null,
      trx_id: "TRX-000000123456",
      paid_at: null,
      order_number: null,
      custom: null,
      refunded_amount: 0,
      version: 2,
      metadata: null,
    },
  });
  expect(toSituation(fact, attempt, order, "tillgate").amount).toBe("different");
  const fields = noteFields(rules, fact, attempt, order);
  expect({ amount: fields.amount, text: fields.difference }).toEqual({ amount: one.amount, text: one.text });
  expect(fields.difference).toBe(rules.difference(one.difference, fields));
  expect(fields.difference).not.toContain(fields.amount);
});
