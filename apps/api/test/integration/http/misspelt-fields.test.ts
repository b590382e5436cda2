import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiClients, openApiClients } from "../../support/api-clients.js";
import type { ApiProcess } from "../../support/api-process.js";
import { createOrder, createPaidOrder, getOrder } from "../../support/orders.js";
import type { PartnerApi } from "../../support/partner.js";
import { PAYMENT_FIELDS, type PaymentApi } from "../../support/payments.js";
import { errorCodeOf, errorOf, fieldError, type PayApi } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import type { Sandbox } from "../../support/sandbox.js";

let apis: ApiClients;
let sandbox: Sandbox;
let server: ApiProcess;
let api: PayApi;
let payments: PaymentApi;
let partner: PartnerApi;

beforeAll(async () => {
  apis = await openApiClients();
  ({ sandbox, server, api, payments, partner } = apis);
});
afterAll(() => apis.close());

const suggests = (known: string) => `is unknown. Did you mean ${known}?`;

it("a misspelt amount is rejected, and does not refund the whole payment", async () => {
  const { orderId, trxId } = await createPaidOrder(server, api);
  for (const name of ["amout", "Amount", "amonut", "ammount", "a_mount"]) {
    const response = await expectNoWrites(sandbox, () =>
      api.post("/refunds", { transaction_id: trxId, [name]: 1 }),
    );
    expect(errorOf(response)).toEqual(fieldError(name, suggests("amount")));
    expect(errorCodeOf(response)).toEqual({ code: "invalid_fields", param: name });
  }
  expect(await getOrder(api, orderId)).toMatchObject({ status: "PAID", refunded_amount: 0 });
  expect(await api.post("/refunds", { transaction_id: trxId })).toMatchObject({ status: 200 });
  expect(await getOrder(api, orderId)).toMatchObject({ status: "REFUNDED" });
});

it.each([
  ["callbackUrl", "callback_url"],
  ["CALLBACK_URL", "callback_url"],
  ["callbak_url", "callback_url"],
  ["return-url", "return_url"],
  ["idempotency-key", "idempotency_key"],
  ["idempotencyKey", "idempotency_key"],
  ["meta_data", "metadata"],
  ["local", "locale"],
  ["refrence", "reference"],
  ["expiresIn", "expires_in"],
])("POST /orders rejects the misspelt %s and suggests %s", async (name, known) => {
  const fields = { amount: 41.5, currency: "EUR", [name]: "x" };
  const response = await expectNoWrites(sandbox, () => api.post("/orders", fields));
  expect(errorOf(response)).toEqual(fieldError(name, suggests(known)));
});

it("an unknown field is ignored if it resembles no field, or if the field that it resembles is also present", async () => {
  const fields = { amout: 1, refrence: "x", reference: "right", note: "n", customer: {}, x: 1, "": 2 };
  expect(await createOrder(api, fields)).toMatchObject({ raw_amount: 41.5, reference: "right" });
  // Three edits are too many for a suggestion.
  expect(await createOrder(api, { refrnc: "x" })).toMatchObject({ reference: null });
});

it("a misspelt required field is reported along with the missing field", async () => {
  const response = await api.post("/orders", { amount: 1, curency: "EUR" });
  expect(errorOf(response).fields).toEqual({
    curency: [`The curency field ${suggests("currency")}`],
    currency: ["The currency field is required"],
  });
});

it("misspelt fields are rejected in payments, webhook tests, payouts and lookups", async () => {
  expect(errorOf(await payments.create({ ...PAYMENT_FIELDS, cancelUrl: "x" }))).toEqual(
    fieldError("cancelUrl", suggests("cancel_url")),
  );
  expect(
    errorOf(await api.post("/webhooks/test", { callback_ur: "https://shop.example" })).fields,
  ).toMatchObject({
    callback_ur: [`The callback_ur field ${suggests("callback_url")}`],
  });
  const payout = await partner.post("/payout", {
    quoteId: randomUUID(),
    reference: "r",
    idempotency_key: randomUUID(),
  });
  expect(payout.status).toBe(422);
  expect(errorOf(payout).fields).toMatchObject({ quoteId: [`The quoteId field ${suggests("quote_id")}`] });
  expect(errorOf(await partner.post("/lookup", { e_mail: "ruth@example.com" })).fields).toMatchObject({
    e_mail: [`The e_mail field ${suggests("email")}`],
  });
});

describe("misspelt list filters", () => {
  it.each([
    ["/orders", "perPage=5", "perPage", "per_page"],
    ["/orders", "state=PAID", "state", "status"],
    ["/orders", "fromdate=2026-01-01", "fromdate", "from_date"],
    ["/refunds", "transactionId=TRX-1", "transactionId", "transaction_id"],
    ["/refunds", "pge=2", "pge", "page"],
    ["/events", "type=pos.order.paid", "type", "types"],
  ])(
    "GET %s?%s is rejected with an error that suggests the correct name",
    async (path, query, sent, known) => {
      expect(errorOf(await api.get(path, query))).toEqual(fieldError(sent, suggests(known)));
    },
  );

  it.each(["/orders?colour=red", "/orders?name=x", "/refunds?_=1789", "/events?utm=1"])(
    "GET %s ignores a parameter that resembles no filter",
    async (path) => {
      expect(await api.get(path)).toMatchObject({ status: 200 });
    },
  );
});
