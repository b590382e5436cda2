import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import { createOrder, getOrder, paidOrder } from "../../support/orders.js";
import type { PartnerApi } from "../../support/partner.js";
import { type Payments, REQUIRED } from "../../support/payments.js";
import { blamed, type PayApi, refusedField, told } from "../../support/requests.js";
import { writesNothing } from "../../support/rows.js";
import type { Sandbox } from "../../support/sandbox.js";
import { openWritingApis, type WritingApis } from "../../support/writing-apis.js";

let apis: WritingApis;
let sandbox: Sandbox;
let server: ApiProcess;
let api: PayApi;
let payments: Payments;
let partner: PartnerApi;

beforeAll(async () => {
  apis = await openWritingApis();
  ({ sandbox, server, api, payments, partner } = apis);
});
afterAll(() => apis.close());

const meant = (known: string) => `is not known. Is ${known} meant?`;

it("a misspelt amount is rejected instead of refunding everything", async () => {
  const { orderId, trxId } = await paidOrder(server, api);
  for (const name of ["amout", "Amount", "amonut", "ammount", "a_mount"]) {
    const answer = await writesNothing(sandbox, () =>
      api.post("/refunds", { transaction_id: trxId, [name]: 1 }),
    );
    expect(told(answer)).toEqual(refusedField(name, meant("amount")));
    expect(blamed(answer)).toEqual({ code: "invalid_fields", param: name });
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
  const answer = await writesNothing(sandbox, () => api.post("/orders", fields));
  expect(told(answer)).toEqual(refusedField(name, meant(known)));
});

it("a misspelt field next to the correct one, or unlike any field, is ignored", async () => {
  const fields = { amout: 1, refrence: "x", reference: "right", note: "n", customer: {}, x: 1, "": 2 };
  expect(await createOrder(api, fields)).toMatchObject({ raw_amount: 41.5, reference: "right" });
  // Three letters are too many.
  expect(await createOrder(api, { refrnc: "x" })).toMatchObject({ reference: null });
});

it("a misspelt required field is reported along with the missing one", async () => {
  const answer = await api.post("/orders", { amount: 1, curency: "EUR" });
  expect(told(answer).fields).toEqual({
    curency: [`The curency field ${meant("currency")}`],
    currency: ["The currency field is required"],
  });
});

it("misspelt fields are rejected in the bodies of all operations", async () => {
  expect(told(await payments.create({ ...REQUIRED, cancelUrl: "x" }))).toEqual(
    refusedField("cancelUrl", meant("cancel_url")),
  );
  expect(
    told(await api.post("/webhooks/test", { callback_ur: "https://shop.example" })).fields,
  ).toMatchObject({
    callback_ur: [`The callback_ur field ${meant("callback_url")}`],
  });
  const payout = await partner.post("/payout", {
    quoteId: randomUUID(),
    reference: "r",
    idempotency_key: randomUUID(),
  });
  expect(payout.status).toBe(422);
  expect(told(payout).fields).toMatchObject({ quoteId: [`The quoteId field ${meant("quote_id")}`] });
  expect(told(await partner.post("/lookup", { e_mail: "ruth@example.com" })).fields).toMatchObject({
    e_mail: [`The e_mail field ${meant("email")}`],
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
  ])("GET %s?%s is rejected with both names", async (path, query, given, known) => {
    expect(told(await api.get(path, query))).toEqual(refusedField(given, meant(known)));
  });

  it.each(["/orders?colour=red", "/orders?name=x", "/refunds?_=1789", "/events?utm=1"])(
    "GET %s ignores it",
    async (path) => {
      expect(await api.get(path)).toMatchObject({ status: 200 });
    },
  );
});
