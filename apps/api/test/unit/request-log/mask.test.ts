import { NumberText } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { createRequestLog } from "../../../src/platform/request-log.js";
import {
  findSubject,
  MASK,
  maskText,
  toLoggedBody,
  toMaskedJson,
} from "../../../src/platform/write-requests.js";

/** Values that must never be logged, wherever a merchant sends them. */
const SECRETS = [
  "tgs_test_Qx5vYHd0lKpJb1ZcT9aR",
  "tgt_live_Qx5vYHd0lKpJb1ZcT9aR",
  "tgw_g6LDmho7QoMOiP_ACiUp0BUnmP1JVsALVzqhpOeSGGI",
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
  "Bearer abc.def-ghi",
  "Basic dGc6c2VjcmV0",
  "amelie.laurent",
  "+33612345678",
  "+33 6 12 34 56 78",
  "AbCdEf123456_-token",
  "hunter2",
  "sk_live_51Hx2Y3Z4a5B6c7D8e9F",
  "xoxb-1234567890-abcdefghij",
  "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
  "AKIAIOSFODNN7EXAMPLE",
  "MIIEvQIBADANBg",
  "4242 4242 4242 4242",
  "4242424242424242",
  "06 12 34 56 78",
  "0612345678",
  "0033612345678",
  "s3ss10n-1d",
];
const TEXTS = [
  "the secret tgs_test_Qx5vYHd0lKpJb1ZcT9aR is mine",
  "tgt_live_Qx5vYHd0lKpJb1ZcT9aR",
  "tgw_g6LDmho7QoMOiP_ACiUp0BUnmP1JVsALVzqhpOeSGGI",
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
  "Authorization: Bearer abc.def-ghi",
  "basic dGc6c2VjcmV0 Basic dGc6c2VjcmV0",
  "write to amelie.laurent@example.com",
  "call +33612345678 or +33 6 12 34 56 78",
  "https://pay.example/pay/AbCdEf123456_-token",
  "https://shop.example/hook?key=hunter2&x=1",
  "https://user:hunter2@shop.example/hook",
];
const MORE_TEXTS = [
  "their key sk_live_51Hx2Y3Z4a5B6c7D8e9F",
  "xoxb-1234567890-abcdefghij",
  "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
  "AKIAIOSFODNN7EXAMPLE",
  "-----BEGIN PRIVATE KEY----- MIIEvQIBADANBg",
  "card 4242 4242 4242 4242 or 4242424242424242",
  "call 06 12 34 56 78, 0612345678 or 0033612345678",
  "/reset/s3ss10n-1d",
  "https://shop.example/password-resets/s3ss10n-1d/now",
  "/sessions/s3ss10n-1d",
];
const FIELDS = [
  ...["client_secret", "secret_id", "password", "pin", "shopper_pin", "otp", "access_token", "lookup_token"],
  "session",
  ...["Authorization", "signature", "api_key", "apikey", "phone", "customer_phone", "mobile", "email"],
  ...["e_mail", "e-mail", "customerEmail", "tel", "customer_tel", "pinCode", "pin_code"],
  ...[
    "cvv",
    "card_cvv",
    "cvc",
    "csc",
    "pan",
    "card_pan",
    "name",
    "first_name",
    "recipient_name",
    "full_name",
  ],
];

const foundSecrets = (text: string | null) => SECRETS.filter((never) => text?.includes(never));

const mask = (value: unknown): unknown => JSON.parse(toMaskedJson(value));

describe("masking of request bodies", () => {
  it.each([...TEXTS, ...MORE_TEXTS])(
    "removes the secret in %j from fields, names and nested values",
    (text) => {
      for (const body of [text, { description: text }, { metadata: { [text]: [text, { deep: text }] } }])
        expect(foundSecrets(toLoggedBody(body))).toEqual([]);
    },
  );

  it.each(FIELDS)("removes any value of the field %s", (name) => {
    for (const value of [
      "hunter2",
      123_456,
      new NumberText("33612345678"),
      ["hunter2"],
      { a: "hunter2" },
      true,
    ])
      expect(mask({ [name]: value })).toEqual({ [name]: MASK });
  });

  it("leaves IDs, amounts, times and descriptions unmasked", () => {
    const body = {
      amount: 12.5,
      currency: "EUR",
      reference: "order-1042",
      order_id: "ORD-7Q4M2K",
      error_code: "invalid_fields",
      idempotency_key: "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e11",
      callback_url: "https://shop.example/hook",
      created_at: "2026-11-23T07:00:00+00:00",
      phone: null,
      product_name: "A cup, 12 x 8 cm",
      trx_id: "TRX-482913750264",
      day: "2026-11-25 07:00",
      note: "parcel 1234 5678 9012 3456",
      large: new NumberText("12345678901234567890"),
    };
    expect(mask(body)).toEqual({ ...body, large: "12345678901234567890" });
  });

  it("truncates long, deep or wide bodies, and removes NUL characters", () => {
    expect(toLoggedBody({ text: "x".repeat(100_000) })?.length).toBe(4_000);
    let deep: unknown = "end";
    for (let level = 0; level < 100; level += 1) deep = { deep };
    expect(toLoggedBody(deep)).toContain("…");
    expect(
      Object.keys(Object(mask(Object.fromEntries(Array.from({ length: 99 }, (_, at) => [at, at]))))),
    ).toHaveLength(50);
    expect(toLoggedBody("a\u0000b")).not.toContain("\u0000");
    expect(toLoggedBody(undefined)).toBeNull();
    expect(maskText("amelie@example.com")).toBe(`${MASK}@example.com`);
  });
});

describe("object of a request", () => {
  it.each([
    ["/pay/api/v1/orders/ORD-1/cancel", null, "ORD-1"],
    ["/pay/api/v1/orders", { data: { order_id: "ORD-2" } }, "ORD-2"],
    ["/pay/api/v1/refunds", { data: { refund_id: "RF-1", order_id: "ORD-2" } }, "RF-1"],
    ["/payout", { data: { payout: { payout_id: "PO-1" } } }, "PO-1"],
    ["/pay/api/v1/orders?page=2", { data: { orders: [] } }, null],
    ["/balance", undefined, null],
  ])("is identified from %s and the response %j as %s", (path, responseBody, about) => {
    expect(findSubject(path, responseBody)).toBe(about);
  });
});

describe("request log in memory", () => {
  const call = (merchantId: string, method = "POST") => ({
    ...{ merchantId, mode: "sandbox" as const, credentialId: "c", requestId: "r", at: new Date(), method },
    ...{ path: "/orders", status: 200, durationMs: 1, clientAddress: "192.0.2.1" },
    ...{ requestBody: { amount: 1 }, responseBody: { data: {} } },
  });

  it("stores a limited number of requests and counts dropped requests per merchant, even when a batch is re-queued", () => {
    const log = createRequestLog(3);
    for (const merchant of ["a", "a", "b", "b", "b", "a"]) log.add(call(merchant), 10);
    const batch = log.take(2);
    expect(batch.calls).toHaveLength(2);
    expect(batch.gaps.map(({ merchantId, dropped }) => [merchantId, dropped])).toEqual([
      ["b", 2],
      ["a", 1],
    ]);
    for (const merchant of ["c", "c"]) log.add(call(merchant), 10);
    log.requeue(batch);
    const all = log.take(10);
    expect(all.calls.map(({ merchantId }) => merchantId)).toEqual(["a", "a", "b"]);
    expect(all.gaps.map(({ merchantId, dropped }) => [merchantId, dropped])).toEqual([
      ["b", 2],
      ["a", 1],
      ["c", 2],
    ]);
    expect(log.take(10)).toEqual({ calls: [], gaps: [] });
  });

  it("stores neither body of a GET request, and omits a large request body", () => {
    const log = createRequestLog();
    log.add(call("a", "GET"), 0);
    log.add(call("a"), 9_000);
    const [read, large] = log.take(10).calls;
    expect([read?.requestBody, read?.responseBody, large?.requestBody]).toEqual([null, null, null]);
    expect(large?.responseBody).not.toBeNull();
  });
});
