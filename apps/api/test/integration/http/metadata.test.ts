import { randomUUID } from "node:crypto";
import { orderResponseSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createOrder,
  createPaidOrder,
  getOrder,
  ORDER_CREATED,
  REFUND_CREATED,
  readOrder,
  readRefund,
} from "../../support/orders.js";
import {
  addPartner,
  addRecipient,
  COMPLETED,
  lookUpRecipient,
  type PartnerApi,
  partnerApi,
  readPayout,
} from "../../support/partner.js";
import { type PaymentApi, paymentApi } from "../../support/payments.js";
import { type ApiResponse, errorOf, fieldError } from "../../support/requests.js";
import { expectNoWrites, expectValidEvents } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

let payments: PaymentApi;
let partner: PartnerApi;
let payout: Record<string, unknown>;

const { sandbox, server, api } = await createTestApi();
beforeAll(async () => {
  payments = await paymentApi(server, sandbox.access.merchant);
  partner = partnerApi(server, (await addPartner(sandbox, { wallets: { EUR: 1_000_000n } })).token);
  const lookup_token = await lookUpRecipient(partner, await addRecipient(sandbox));
  payout = { lookup_token, amount: 1, sender_currency: "EUR", receiver_currency: "EUR" };
});
afterAll(() => expectValidEvents(sandbox));

/** Unsorted keys, and values that careless storage would change. */
const METADATA = { zebra: "1", Äpfel: " two ", "a b": '{"x":1}', empty: "", 𝕏: "𝕏\n%00" };

const bodiesOf = async (name: string, id: string): Promise<string[]> =>
  (
    await sandbox.database.pool.query<{ body: string }>(
      "SELECT body FROM events WHERE name = $1 AND body LIKE '%' || $2 || '%'",
      [name, id],
    )
  ).rows.map(({ body }) => body);

const metadataIn = (body: string | undefined): unknown => {
  const event = z
    .object({ metadata: z.unknown().optional(), data: z.object({ metadata: z.unknown() }).optional() })
    .parse(JSON.parse(body ?? "{}"));
  return event.data ? event.data.metadata : event.metadata;
};

describe("metadata", () => {
  it("is returned unchanged in orders, refunds and their events", async () => {
    const { orderId, trxId } = await createPaidOrder(server, api, { metadata: METADATA });
    const order = await getOrder(api, orderId);
    expect(order.metadata).toEqual(METADATA);
    expect(Object.keys(order.metadata ?? {})).toEqual(Object.keys(METADATA));
    const listed = await api.get("/orders", "per_page=1");
    expect(listed.body).toMatchObject({ data: { orders: [{ metadata: METADATA }] } });
    expect(metadataIn((await bodiesOf("pos.order.paid", orderId))[0])).toEqual(METADATA);

    const fields = { transaction_id: trxId, metadata: { "refund of": "till 3" } };
    const refund = readRefund(await api.post("/refunds", fields), REFUND_CREATED);
    expect(refund).toMatchObject({ metadata: fields.metadata, reason: "", reference: "" });
    expect((await api.get(`/refunds/${refund.refund_id}`)).body).toMatchObject({
      data: { metadata: fields.metadata },
    });
    const [body] = await bodiesOf("refund.completed", refund.refund_id);
    expect(JSON.parse(body ?? "{}")).toMatchObject({
      data: { metadata: fields.metadata, reason: "", reference: "" },
    });
  });

  it("is returned unchanged in payouts and their events", async () => {
    const fields = {
      ...payout,
      reference: randomUUID(),
      idempotency_key: randomUUID(),
      metadata: { x: "1" },
    };
    const paid = readPayout(await partner.post("/payout", fields), COMPLETED);
    expect(paid.metadata).toEqual({ x: "1" });
    expect((await partner.get(`/payout/${paid.payout_id}`)).body).toMatchObject({
      data: { payout: { metadata: { x: "1" } } },
    });
    expect(metadataIn((await bodiesOf("payout.completed", paid.payout_id))[0])).toEqual({ x: "1" });
  });

  it("is returned unchanged in payments, and so is the locale", async () => {
    const { token } = await payments.createPayment({ metadata: { x: "1" }, locale: "pt-BR" });
    expect(await payments.readPayment(token)).toMatchObject({ metadata: { x: "1" }, locale: "pt-BR" });
  });

  it("is returned as null if omitted, null or an empty string", async () => {
    for (const metadata of [undefined, null, ""])
      expect(await createOrder(api, { metadata })).toMatchObject({ metadata: null });
    expect(await createOrder(api, { metadata: {} })).toMatchObject({ metadata: {} });
  });
});

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, "v"]));

describe("metadata rules", () => {
  it.each([
    keys(20),
    { ["k".repeat(40)]: "v" },
    { ["𝕏".repeat(40)]: "v" },
    { k: "v".repeat(500) },
    { k: "𝕏".repeat(500) },
  ])("accept metadata at the limits (%#)", async (metadata) => {
    expect(await createOrder(api, { metadata })).toMatchObject({ metadata });
  });

  const rejected: [unknown, string][] = [
    [keys(21), "must not have more than 20 keys"],
    [{ ["k".repeat(41)]: "v" }, "must have keys of 1 to 40 characters"],
    [{ "": "v" }, "must have keys of 1 to 40 characters"],
    [{ k: "v".repeat(501) }, "must have values of at most 500 characters"],
    [{ k: "\u0000" }, "must not contain NUL characters or invalid Unicode"],
    [{ "\ud83d": "v" }, "must not contain NUL characters or invalid Unicode"],
    [["v"], "must be an object with text values"],
    ["v", "must be an object with text values"],
    [7, "must be an object with text values"],
  ];
  const makers: [string, (metadata: unknown) => Promise<ApiResponse>, number][] = [
    ["an order", (metadata) => api.post("/orders", { amount: 1, currency: "EUR", metadata }), 400],
    ["a refund", (metadata) => api.post("/refunds", { transaction_id: "TRX-1", metadata }), 400],
    [
      "a payout",
      (metadata) =>
        partner.post("/payout", {
          ...payout,
          reference: randomUUID(),
          idempotency_key: randomUUID(),
          metadata,
        }),
      422,
    ],
  ];
  it.each(makers)("reject invalid metadata of %s", async (_name, make, status) => {
    for (const [metadata, rest] of rejected) {
      const response = errorOf(await expectNoWrites(sandbox, () => make(metadata)));
      expect(response).toMatchObject({ status, fields: { metadata: [`The metadata field ${rest}`] } });
    }
  });

  it("reject a non-string value and report its key, and reject the key __proto__", async () => {
    const response = await api.post("/orders", { amount: 1, currency: "EUR", metadata: { a: "1", b: 2 } });
    expect(errorOf(response)).toEqual(fieldError("metadata.b", "must be text"));
    const lost = '{"amount":1,"currency":"EUR","metadata":{"__proto__":"x"}}';
    expect(errorOf(await api.postText("/orders", lost))).toEqual(
      fieldError("metadata", "must not have the key __proto__"),
    );
  });

  it("ignore the order of keys for idempotency", async () => {
    const fields = { amount: 1, currency: "EUR", idempotency_key: randomUUID() };
    const created = readOrder(
      await api.post("/orders", { ...fields, metadata: { a: "1", b: "2" } }),
      ORDER_CREATED,
    );
    const again = await api.post("/orders", { ...fields, metadata: { b: "2", a: "1" } });
    expect(orderResponseSchema.parse(again.body).data.order_id).toBe(created.order_id);
    expect((await api.post("/orders", { ...fields, metadata: { a: "1", b: "3" } })).status).toBe(409);
  });
});

describe("locale", () => {
  it.each(["fr", "pt-BR", "zh-Hans-CN", "de-1996", "en-x-abcdefgh-abcdefgh-abcdefgh-abc"])(
    "is returned unchanged: %s",
    async (locale) => {
      expect(locale.length).toBeLessThanOrEqual(35);
      expect(await createOrder(api, { locale })).toMatchObject({ locale });
    },
  );

  it.each([
    ["french language", "must be a language tag (BCP 47), such as fr or pt-BR"],
    ["fr_FR", "must be a language tag (BCP 47), such as fr or pt-BR"],
    ["-", "must be a language tag (BCP 47), such as fr or pt-BR"],
    ["de-abcdefgh-abcdefgh-abcdefgh-abcdefgh", "must not be longer than 35 characters"],
    [7, "must be text"],
  ])("is rejected if it is %j", async (locale, rest) => {
    const response = await expectNoWrites(sandbox, () =>
      api.post("/orders", { amount: 1, currency: "EUR", locale }),
    );
    expect(errorOf(response).fields?.locale).toContain(`The locale field ${rest}`);
  });

  it("is null if omitted, null or empty", async () => {
    for (const locale of [undefined, null, ""])
      expect(await createOrder(api, { locale })).toMatchObject({ locale: null });
  });
});
