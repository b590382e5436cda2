import { beforeAll, describe, expect, it } from "vitest";
import {
  createOrder,
  createPaidOrder,
  ORDER_CREATED,
  REFUND_CREATED,
  readOrder,
  readRefund,
} from "../../support/orders.js";
import {
  addPartner,
  addRecipient,
  lookUpRecipient,
  type PartnerApi,
  partnerApi,
  partnerFieldError,
} from "../../support/partner.js";
import { type PaymentApi, paymentApi, readCreated } from "../../support/payments.js";
import { errorOf, fieldError, type PayApi, payApi } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

let pay: PayApi;
let payments: PaymentApi;
let partner: PartnerApi;
let lookupToken: string;

const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  pay = payApi(server, sandbox.access.merchant);
  payments = await paymentApi(server, sandbox.access.merchant);
  partner = partnerApi(server, (await addPartner(sandbox)).token);
  lookupToken = await lookUpRecipient(partner, await addRecipient(sandbox));
});

/** Numbers that a binary float would turn into a valid amount. */
const INEXACT_AMOUNTS = [
  "10.000000000000000001",
  "9.9999999999999999999",
  "1000000000000000000000000000001e-20",
  "0.30000000000000000001",
  "100.0000000000000000000000000000000000000000000001",
];
const TOO_MANY_DIGITS = "must have at most 15 significant digits";
/** Notations of 10. */
const EQUAL_AMOUNTS = ["10.00000000000000000000", "10", "1e1", "100000000000000000000e-19", '"10.00"'];

describe("amount in a request body", () => {
  const order = (amount: string) => `{"amount":${amount},"currency":"EUR"}`;

  it.each(INEXACT_AMOUNTS)(
    "is rejected by POST /orders, as a number and as a string, rather than rounded: %s",
    async (number) => {
      const response = await expectNoWrites(sandbox, () => pay.postText("/orders", order(number)));
      expect(errorOf(response)).toEqual(
        fieldError(
          "amount",
          number.includes("e") ? "must be a plain decimal number without an exponent" : TOO_MANY_DIGITS,
        ),
      );
      const asText = await expectNoWrites(sandbox, () => pay.postText("/orders", order(`"${number}"`)));
      expect(errorOf(asText)).toEqual(errorOf(response));
    },
  );

  it.each(EQUAL_AMOUNTS)("is parsed by POST /orders as 10.00: %s", async (number) => {
    const created = readOrder(await pay.postText("/orders", order(number)), ORDER_CREATED);
    expect(created).toMatchObject({ amount: "10.00 EUR", raw_amount: 10 });
  });

  it("counts as the same amount for idempotency, regardless of its notation", async () => {
    const body = (amount: string) => `{"amount":${amount},"currency":"EUR","idempotency_key":"same value"}`;
    const created = [];
    for (const number of EQUAL_AMOUNTS)
      created.push(readOrder(await pay.postText("/orders", body(number)), ORDER_CREATED).order_id);
    expect(new Set(created).size).toBe(1);
    const other = await pay.postText("/orders", body("10.000000000000000001"));
    expect(errorOf(other)).toEqual(fieldError("amount", TOO_MANY_DIGITS));
  });

  it("is rounded by POST /payment/create from the digits sent, not from the nearest double", async () => {
    // The nearest double of the first amount is 10.005, which would round up.
    const body = (amount: string) =>
      `{"amount":${amount},"currency":"EUR","return_url":"https://shop.example/","product_name":"Tea","order_number":"1"}`;
    for (const [amount, raw] of [
      ["10.00499999999999999999999", 10],
      ["10.00500000000000000000000", 10.01],
      ["10.000000000000000001", 10],
    ] as const) {
      const { token } = readCreated(await payments.createText(body(amount)));
      expect((await payments.readPayment(token)).raw_amount).toBe(raw);
    }
  });

  it("is rejected by POST /refunds if it has too many digits, unless they are trailing zeros", async () => {
    const { trxId } = await createPaidOrder(server, pay);
    const body = (amount: string) => `{"transaction_id":"${trxId}","amount":${amount}}`;
    const response = await expectNoWrites(sandbox, () =>
      pay.postText("/refunds", body("1.0000000000000000001")),
    );
    expect(errorOf(response)).toEqual(fieldError("amount", TOO_MANY_DIGITS));
    const created = readRefund(await pay.postText("/refunds", body("1.0000000000000000000")), REFUND_CREATED);
    expect(created.amount).toBe("1.00 EUR");
  });

  it("is rejected by POST /quote and POST /payout if it has too many digits", async () => {
    const terms = (amount: string) =>
      `"lookup_token":"${lookupToken}","amount":${amount},"sender_currency":"EUR","receiver_currency":"EUR"`;
    for (const [path, rest] of [
      ["/quote", ""],
      ["/payout", `,"reference":"own text","idempotency_key":"own text"`],
    ] as const) {
      const response = await expectNoWrites(sandbox, () =>
        partner.postText(path, `{${terms("1.0000000000000000001")}${rest}}`),
      );
      expect(errorOf(response)).toEqual(partnerFieldError("amount", TOO_MANY_DIGITS));
    }
  });
});

describe("numbers in other fields", () => {
  it("are rejected if they have too many digits and the field requires a whole number or text", async () => {
    const long = "300.0000000000000000001";
    for (const [field, rest] of [
      ["expires_in", "must be a whole number of seconds"],
      ["reference", "must be text"],
      ["idempotency_key", "must be text"],
    ] as const) {
      const response = await expectNoWrites(sandbox, () =>
        pay.postText("/orders", `{"amount":1,"currency":"EUR","${field}":${long}}`),
      );
      expect(errorOf(response)).toEqual(fieldError(field, rest));
    }
  });

  it("can have any number of digits in a string or in an unknown field", async () => {
    const reference = "12345678901234567890.12345678901234567890";
    const created = readOrder(
      await pay.postText(
        "/orders",
        `{"amount":1,"currency":"EUR","reference":"${reference}","unknown":[1e999,${reference}]}`,
      ),
      ORDER_CREATED,
    );
    expect(created.reference).toBe(reference);
  });
});

describe("the JSON parser", () => {
  const long = '"x":12345678901234567890';

  it("uses the last of two duplicate keys, like JSON.parse", async () => {
    const created = await pay.postText("/orders", `{"amount":1,"currency":"EUR","amount":2,${long}}`);
    expect(readOrder(created, ORDER_CREATED).raw_amount).toBe(2);
  });

  it("treats __proto__ and constructor as unknown fields", async () => {
    const body = `{"__proto__":{"amount":1,"reference":"polluted"},"constructor":{"prototype":{"amount":1}},${long}}`;
    const response = await expectNoWrites(sandbox, () => pay.postText("/orders", body));
    expect(Object.keys(errorOf(response).fields ?? {})).toEqual(["amount", "currency"]);
    expect(await createOrder(pay)).toMatchObject({ reference: null });
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("amount");
  });

  it.each(["{", '{"amount":1,}', "{}{}", '{"amount":NaN}'])(
    "rejects %j after a long number as malformed JSON",
    async (body) => {
      const response = await expectNoWrites(sandbox, () =>
        pay.postText("/orders", `[${long.slice(4)},${body}]`),
      );
      expect(errorOf(response)).toEqual({ status: 400, texts: ["Malformed JSON"] });
    },
  );

  it("rejects 30,000 levels of nesting, and the API keeps serving requests", async () => {
    const deep = `{"amount":1,"currency":"EUR",${long},"y":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
    const response = await expectNoWrites(sandbox, () => pay.postText("/orders", deep));
    expect(errorOf(response)).toEqual({ status: 400, texts: ["Malformed JSON"] });
    await createOrder(pay);
  });

  it("parses a 65,000-digit amount, which is then rejected, within two seconds", async () => {
    const began = performance.now();
    const response = await expectNoWrites(sandbox, () =>
      pay.postText("/orders", `{"amount":${"9".repeat(65_000)},"currency":"EUR"}`),
    );
    expect(errorOf(response)).toEqual(fieldError("amount", "must be a number"));
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it("rejects UTF-16", async () => {
    const text = '{"amount":10.000000000000000001,"currency":"EUR"}';
    const response = await expectNoWrites(sandbox, () =>
      pay.postText("/orders", new Uint8Array(Buffer.from(text, "utf16le")), {
        "content-type": "application/json; charset=utf-16le",
      }),
    );
    expect(errorOf(response)).toEqual({ status: 415, texts: ["The body must be JSON in UTF-8"] });
  });
});
