import { beforeAll, describe, expect, it } from "vitest";
import {
  CREATED,
  createOrder,
  paidOrder,
  REFUND_CREATED,
  readOrder,
  readRefund,
} from "../../support/orders.js";
import {
  addPartner,
  addRecipient,
  invalidField,
  lookUp,
  type PartnerApi,
  partnerApi,
} from "../../support/partner.js";
import { type Payments, paymentsOf, readCreated } from "../../support/payments.js";
import { type PayApi, payApi, refusedField, told } from "../../support/requests.js";
import { writesNothing } from "../../support/rows.js";
import { sceneOfFile } from "../../support/scene.js";

let pay: PayApi;
let payments: Payments;
let partner: PartnerApi;
let lookupToken: string;

const { sandbox, server } = await sceneOfFile();
beforeAll(async () => {
  pay = payApi(server, sandbox.access.merchant);
  payments = await paymentsOf(server, sandbox.access.merchant);
  partner = partnerApi(server, (await addPartner(sandbox)).token);
  lookupToken = await lookUp(partner, await addRecipient(sandbox));
});

/** Numbers that a binary float would make into amounts, and the answer to each. */
const ALTERED = [
  "10.000000000000000001",
  "9.9999999999999999999",
  "1000000000000000000000000000001e-20",
  "0.30000000000000000001",
  "100.0000000000000000000000000000000000000000000001",
];
const TOO_MANY = "must have at most 15 significant digits";
/** The same value as 10, 10.0 and "10.00", written longer. */
const SAME = ["10.00000000000000000000", "10", "1e1", "100000000000000000000e-19", '"10.00"'];

describe("amounts are parsed from the JSON text", () => {
  const order = (amount: string) => `{"amount":${amount},"currency":"EUR"}`;

  it.each(ALTERED)("POST /orders rejects %s as an amount, as it rejects it as a string", async (number) => {
    const answer = await writesNothing(sandbox, () => pay.postText("/orders", order(number)));
    expect(told(answer)).toEqual(
      refusedField(
        "amount",
        number.includes("e") ? "must be a plain decimal number without an exponent" : TOO_MANY,
      ),
    );
    const asText = await writesNothing(sandbox, () => pay.postText("/orders", order(`"${number}"`)));
    expect(told(asText)).toEqual(told(answer));
  });

  it.each(SAME)("POST /orders reads %s as 10.00", async (number) => {
    const made = readOrder(await pay.postText("/orders", order(number)), CREATED);
    expect(made).toMatchObject({ amount: "10.00 EUR", raw_amount: 10 });
  });

  it("idempotency treats every notation of an amount as the same request", async () => {
    const body = (amount: string) => `{"amount":${amount},"currency":"EUR","idempotency_key":"same value"}`;
    const made = [];
    for (const number of SAME)
      made.push(readOrder(await pay.postText("/orders", body(number)), CREATED).order_id);
    expect(new Set(made).size).toBe(1);
    const other = await pay.postText("/orders", body("10.000000000000000001"));
    expect(told(other)).toEqual(refusedField("amount", TOO_MANY));
  });

  it("POST /payment/create rounds the number as sent, not its nearest float", async () => {
    // The nearest float is 10.005, which would be rounded up.
    const body = (amount: string) =>
      `{"amount":${amount},"currency":"EUR","return_url":"https://shop.example/","product_name":"Tea","order_number":"1"}`;
    for (const [amount, raw] of [
      ["10.00499999999999999999999", 10],
      ["10.00500000000000000000000", 10.01],
      ["10.000000000000000001", 10],
    ] as const) {
      const { token } = readCreated(await payments.createText(body(amount)));
      expect((await payments.read(token)).raw_amount).toBe(raw);
    }
  });

  it("POST /refunds rejects an amount with too many digits instead of refunding what is left", async () => {
    const { trxId } = await paidOrder(server, pay);
    const body = (amount: string) => `{"transaction_id":"${trxId}","amount":${amount}}`;
    const answer = await writesNothing(sandbox, () =>
      pay.postText("/refunds", body("1.0000000000000000001")),
    );
    expect(told(answer)).toEqual(refusedField("amount", TOO_MANY));
    const made = readRefund(await pay.postText("/refunds", body("1.0000000000000000000")), REFUND_CREATED);
    expect(made.amount).toBe("1.00 EUR");
  });

  it("POST /quote and POST /payout reject an amount with too many digits", async () => {
    const terms = (amount: string) =>
      `"lookup_token":"${lookupToken}","amount":${amount},"sender_currency":"EUR","receiver_currency":"EUR"`;
    for (const [path, rest] of [
      ["/quote", ""],
      ["/payout", `,"reference":"own text","idempotency_key":"own text"`],
    ] as const) {
      const answer = await writesNothing(sandbox, () =>
        partner.postText(path, `{${terms("1.0000000000000000001")}${rest}}`),
      );
      expect(told(answer)).toEqual(invalidField("amount", TOO_MANY));
    }
  });
});

describe("numbers in other fields", () => {
  it("are rejected with too many digits, as whole seconds and as text", async () => {
    const long = "300.0000000000000000001";
    for (const [field, rest] of [
      ["expires_in", "must be a whole number of seconds"],
      ["reference", "must be text"],
      ["idempotency_key", "must be text"],
    ] as const) {
      const answer = await writesNothing(sandbox, () =>
        pay.postText("/orders", `{"amount":1,"currency":"EUR","${field}":${long}}`),
      );
      expect(told(answer)).toEqual(refusedField(field, rest));
    }
  });

  it("are accepted as digits in a string, and in unknown fields", async () => {
    const reference = "12345678901234567890.12345678901234567890";
    const made = readOrder(
      await pay.postText(
        "/orders",
        `{"amount":1,"currency":"EUR","reference":"${reference}","unknown":[1e999,${reference}]}`,
      ),
      CREATED,
    );
    expect(made.reference).toBe(reference);
  });
});

describe("the JSON parser", () => {
  const long = '"x":12345678901234567890';

  it("takes the last of two equal keys, like JSON.parse", async () => {
    const made = await pay.postText("/orders", `{"amount":1,"currency":"EUR","amount":2,${long}}`);
    expect(readOrder(made, CREATED).raw_amount).toBe(2);
  });

  it("treats __proto__ and constructor as unknown fields", async () => {
    const body = `{"__proto__":{"amount":1,"reference":"polluted"},"constructor":{"prototype":{"amount":1}},${long}}`;
    const answer = await writesNothing(sandbox, () => pay.postText("/orders", body));
    expect(Object.keys(told(answer).fields ?? {})).toEqual(["amount", "currency"]);
    expect(await createOrder(pay)).toMatchObject({ reference: null });
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("amount");
  });

  it.each(["{", '{"amount":1,}', "{}{}", '{"amount":NaN}'])(
    "rejects %j next to a value as malformed JSON",
    async (body) => {
      const answer = await writesNothing(sandbox, () =>
        pay.postText("/orders", `[${long.slice(4)},${body}]`),
      );
      expect(told(answer)).toMatchObject({ status: 400 });
    },
  );

  it("rejects nesting thousands deep, and keeps serving", async () => {
    const deep = `{"amount":1,"currency":"EUR",${long},"y":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
    const answer = await writesNothing(sandbox, () => pay.postText("/orders", deep));
    expect(told(answer)).toEqual({ status: 400, texts: ["Malformed JSON"] });
    await createOrder(pay);
  });

  it("parses 64 KiB of digits within the time limit", async () => {
    const began = performance.now();
    const answer = await writesNothing(sandbox, () =>
      pay.postText("/orders", `{"amount":${"9".repeat(65_000)},"currency":"EUR"}`),
    );
    expect(told(answer)).toEqual(refusedField("amount", "must be a number"));
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it("rejects UTF-16", async () => {
    const text = '{"amount":10.000000000000000001,"currency":"EUR"}';
    const answer = await writesNothing(sandbox, () =>
      pay.postText("/orders", new Uint8Array(Buffer.from(text, "utf16le")), {
        "content-type": "application/json; charset=utf-16le",
      }),
    );
    expect(told(answer)).toEqual({ status: 415, texts: ["The body must be JSON in UTF-8"] });
  });
});
