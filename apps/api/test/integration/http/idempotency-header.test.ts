import { randomUUID } from "node:crypto";
import { orderResponseSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import { paidOrder } from "../../support/orders.js";
import { addRecipient, invalidField, lookUp, type PartnerApi } from "../../support/partner.js";
import { type Payments, REQUIRED } from "../../support/payments.js";
import { sendRaw } from "../../support/raw-http.js";
import { type Answer, basic, blamed, type PayApi, refusedField, told } from "../../support/requests.js";
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

type Headers = Record<string, string>;
/** Everything that moves money or makes an order: a request that nothing is wrong with, sent with a key in body and header. */
type Maker = { send(fields: Record<string, unknown>, headers: Headers): Promise<Answer>; partner: boolean };

async function makers(): Promise<Record<string, Maker>> {
  const { trxId } = await paidOrder(server, api);
  const recipient = await addRecipient(sandbox);
  const payout = {
    lookup_token: await lookUp(partner, recipient),
    amount: 1,
    sender_currency: "EUR",
    receiver_currency: "EUR",
    reference: randomUUID(),
  };
  const post =
    (path: string, right: object): Maker["send"] =>
    (fields, headers) =>
      api.postText(path, JSON.stringify({ ...right, ...fields }), headers);
  return {
    "POST /orders": { send: post("/orders", { amount: 41.5, currency: "EUR" }), partner: false },
    "POST /refunds": { send: post("/refunds", { transaction_id: trxId, amount: 1 }), partner: false },
    "POST /payment/create": {
      send: (fields, headers) => payments.createText(JSON.stringify({ ...REQUIRED, ...fields }), headers),
      partner: false,
    },
    "POST /payout": {
      send: (fields, headers) =>
        partner.postText("/payout", JSON.stringify({ ...payout, ...fields }), headers),
      partner: true,
    },
  };
}

const NAMES = ["POST /orders", "POST /refunds", "POST /payment/create", "POST /payout"];

describe.each(NAMES)("Idempotency-Key of %s", (name) => {
  let maker: Maker;
  beforeAll(async () => {
    const found = (await makers())[name];
    if (!found) throw new Error(`no maker ${name}`);
    maker = found;
  });
  const refused = (rest: string, absent = rest) =>
    maker.partner ? invalidField("idempotency_key", absent) : refusedField("idempotency_key", rest);

  it("makes a retry safe, and may be repeated as the field", async () => {
    const key = randomUUID();
    const first = await maker.send({}, { "Idempotency-Key": key });
    expect(first).toMatchObject({ status: 200 });
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const repeats: [Record<string, unknown>, Headers][] = [
      [{}, { "idempotency-key": key }],
      [{ idempotency_key: key }, {}],
      [{ idempotency_key: key }, { "idempotency-key": key }],
      [{ idempotency_key: null }, { "idempotency-key": key }],
    ];
    for (const [fields, headers] of repeats) {
      const again = await writesNothing(sandbox, () => maker.send(fields, headers));
      expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    }
  });

  it("is rejected if the field has another value", async () => {
    const rest = "must equal the Idempotency-Key header or be left out";
    for (const idempotency_key of ["other", "KEY", "key "]) {
      const answer = await writesNothing(sandbox, () =>
        maker.send({ idempotency_key }, { "Idempotency-Key": "key" }),
      );
      expect(told(answer)).toEqual(refused(rest));
      expect(blamed(answer)).toEqual({ code: "invalid_fields", param: "idempotency_key" });
    }
  });

  it("is rejected if empty, in the header and in the field", async () => {
    const empty: [Record<string, unknown>, Headers][] = [
      [{ idempotency_key: "" }, {}],
      [{ idempotency_key: "  " }, {}],
      [{}, { "Idempotency-Key": "" }],
      [{ idempotency_key: "" }, { "Idempotency-Key": "" }],
      [{ idempotency_key: "" }, { "Idempotency-Key": "key" }],
    ];
    for (const [fields, headers] of empty) {
      const answer = await writesNothing(sandbox, () => maker.send(fields, headers));
      expect(told(answer)).toEqual(refused("must not be blank", "is required"));
    }
  });

  it("has up to 64 characters, in the header too", async () => {
    const longest = randomUUID().padEnd(64, "k");
    expect(await maker.send({ reference: randomUUID() }, { "Idempotency-Key": longest })).toMatchObject({
      status: 200,
    });
    const tooLong = await writesNothing(sandbox, () => maker.send({}, { "Idempotency-Key": `${longest}k` }));
    expect(told(tooLong)).toEqual(refused("must not be longer than 64 characters"));
  });

  it("is reported along with other invalid fields", async () => {
    const answer = await maker.send({ idempotency_key: "a", amount: 0 }, { "Idempotency-Key": "b" });
    expect(Object.keys(told(answer).fields ?? {}).sort()).toEqual(["amount", "idempotency_key"]);
  });
});

it("two refunds with the same Idempotency-Key header move money once", async () => {
  const { orderId, trxId } = await paidOrder(server, api);
  const refund = () =>
    api.postText("/refunds", JSON.stringify({ transaction_id: trxId, amount: 10 }), {
      "Idempotency-Key": "once only",
    });
  const answers = await Promise.all([refund(), refund(), refund()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { data } = orderResponseSchema.parse((await api.get(`/orders/${orderId}`)).body);
  expect(data.refunded_amount).toBe(10);
});

it("two different Idempotency-Key headers are rejected", async () => {
  const answer = await sendRaw(Number(new URL(server.url).port), {
    method: "POST",
    path: "/pay/sandbox/api/v1/orders",
    headers: {
      authorization: basic(sandbox.access.merchant),
      "content-type": "application/json",
      "idempotency-key": ["a", "b"],
    },
    body: JSON.stringify({ amount: 41.5, currency: "EUR" }),
  });
  expect(told(answer)).toEqual(
    refusedField("idempotency_key", "must not be given by two Idempotency-Key headers"),
  );
});

it("an idempotency key in UTF-8 is the same in header and body", async () => {
  const key = "ключ-é-1";
  const header = Buffer.from(key, "utf8").toString("latin1");
  const body = JSON.stringify({ amount: 41.5, currency: "EUR", idempotency_key: key });
  expect(await api.postText("/orders", body, { "Idempotency-Key": header })).toMatchObject({ status: 200 });
});
