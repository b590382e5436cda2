import { randomUUID } from "node:crypto";
import { orderResponseSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiClients, openApiClients } from "../../support/api-clients.js";
import type { ApiProcess } from "../../support/api-process.js";
import { createPaidOrder } from "../../support/orders.js";
import { addRecipient, lookUpRecipient, type PartnerApi, partnerFieldError } from "../../support/partner.js";
import { PAYMENT_FIELDS, type PaymentApi } from "../../support/payments.js";
import { sendRaw } from "../../support/raw-http.js";
import {
  type ApiResponse,
  basic,
  errorCodeOf,
  errorOf,
  fieldError,
  type PayApi,
} from "../../support/requests.js";
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

type Headers = Record<string, string>;
/** A valid request of an operation that takes an idempotency key. */
type Writer = {
  send(fields: Record<string, unknown>, headers: Headers): Promise<ApiResponse>;
  partner: boolean;
};

async function createWriters(): Promise<Record<string, Writer>> {
  const { trxId } = await createPaidOrder(server, api);
  const recipient = await addRecipient(sandbox);
  const payout = {
    lookup_token: await lookUpRecipient(partner, recipient),
    amount: 1,
    sender_currency: "EUR",
    receiver_currency: "EUR",
    reference: randomUUID(),
  };
  const post =
    (path: string, right: object): Writer["send"] =>
    (fields, headers) =>
      api.postText(path, JSON.stringify({ ...right, ...fields }), headers);
  return {
    "POST /orders": { send: post("/orders", { amount: 41.5, currency: "EUR" }), partner: false },
    "POST /refunds": { send: post("/refunds", { transaction_id: trxId, amount: 1 }), partner: false },
    "POST /payment/create": {
      send: (fields, headers) =>
        payments.createText(JSON.stringify({ ...PAYMENT_FIELDS, ...fields }), headers),
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
  let writer: Writer;
  beforeAll(async () => {
    const found = (await createWriters())[name];
    if (!found) throw new Error(`the test has no request for ${name}`);
    writer = found;
  });
  const expectRejected = (rest: string, absent = rest) =>
    writer.partner ? partnerFieldError("idempotency_key", absent) : fieldError("idempotency_key", rest);

  it("makes a retry safe, and may be sent as the body field instead or as well", async () => {
    const key = randomUUID();
    const first = await writer.send({}, { "Idempotency-Key": key });
    expect(first).toMatchObject({ status: 200 });
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const repeats: [Record<string, unknown>, Headers][] = [
      [{}, { "idempotency-key": key }],
      [{ idempotency_key: key }, {}],
      [{ idempotency_key: key }, { "idempotency-key": key }],
      [{ idempotency_key: null }, { "idempotency-key": key }],
    ];
    for (const [fields, headers] of repeats) {
      const again = await expectNoWrites(sandbox, () => writer.send(fields, headers));
      expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    }
  });

  it("is rejected if the body field has a different value", async () => {
    const rest = "must equal the Idempotency-Key header or be omitted";
    for (const idempotency_key of ["other", "KEY", "key "]) {
      const response = await expectNoWrites(sandbox, () =>
        writer.send({ idempotency_key }, { "Idempotency-Key": "key" }),
      );
      expect(errorOf(response)).toEqual(expectRejected(rest));
      expect(errorCodeOf(response)).toEqual({ code: "invalid_fields", param: "idempotency_key" });
    }
  });

  it("is rejected if blank, in the header or in the field", async () => {
    const empty: [Record<string, unknown>, Headers][] = [
      [{ idempotency_key: "" }, {}],
      [{ idempotency_key: "  " }, {}],
      [{}, { "Idempotency-Key": "" }],
      [{ idempotency_key: "" }, { "Idempotency-Key": "" }],
      [{ idempotency_key: "" }, { "Idempotency-Key": "key" }],
    ];
    for (const [fields, headers] of empty) {
      const response = await expectNoWrites(sandbox, () => writer.send(fields, headers));
      expect(errorOf(response)).toEqual(expectRejected("must not be blank", "is required"));
    }
  });

  it("may have up to 64 characters", async () => {
    const longest = randomUUID().padEnd(64, "k");
    expect(await writer.send({ reference: randomUUID() }, { "Idempotency-Key": longest })).toMatchObject({
      status: 200,
    });
    const tooLong = await expectNoWrites(sandbox, () =>
      writer.send({}, { "Idempotency-Key": `${longest}k` }),
    );
    expect(errorOf(tooLong)).toEqual(expectRejected("must not be longer than 64 characters"));
  });

  it("is reported along with other invalid fields if it conflicts with the body", async () => {
    const response = await writer.send({ idempotency_key: "a", amount: 0 }, { "Idempotency-Key": "b" });
    expect(Object.keys(errorOf(response).fields ?? {}).sort()).toEqual(["amount", "idempotency_key"]);
  });
});

it("three concurrent refunds with the same Idempotency-Key header move money once", async () => {
  const { orderId, trxId } = await createPaidOrder(server, api);
  const refund = () =>
    api.postText("/refunds", JSON.stringify({ transaction_id: trxId, amount: 10 }), {
      "Idempotency-Key": "once only",
    });
  const responses = await Promise.all([refund(), refund(), refund()]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { data } = orderResponseSchema.parse((await api.get(`/orders/${orderId}`)).body);
  expect(data.refunded_amount).toBe(10);
});

it("two different Idempotency-Key headers are rejected", async () => {
  const response = await sendRaw(Number(new URL(server.url).port), {
    method: "POST",
    path: "/pay/sandbox/api/v1/orders",
    headers: {
      authorization: basic(sandbox.access.merchant),
      "content-type": "application/json",
      "idempotency-key": ["a", "b"],
    },
    body: JSON.stringify({ amount: 41.5, currency: "EUR" }),
  });
  expect(errorOf(response)).toEqual(
    fieldError("idempotency_key", "must not be sent in two Idempotency-Key headers"),
  );
});

it("an idempotency key in UTF-8 is the same in header and body", async () => {
  const key = "ключ-é-1";
  const header = Buffer.from(key, "utf8").toString("latin1");
  const body = JSON.stringify({ amount: 41.5, currency: "EUR", idempotency_key: key });
  expect(await api.postText("/orders", body, { "Idempotency-Key": header })).toMatchObject({ status: 200 });
});
