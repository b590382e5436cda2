import { createPaymentRequestSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAY_URL } from "../../support/api-process.js";
import { PAYMENT_FIELDS, type PaymentApi, paymentApi, readCreated } from "../../support/payments.js";
import { errorOf, fieldError, payApi } from "../../support/requests.js";
import { expectNoWrites, expectValidEvents } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const ASTRAL = "𝕏";

let api: PaymentApi;

const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  api = await paymentApi(server, sandbox.access.merchant);
});
afterAll(() => expectValidEvents(sandbox));

const createRejected = (fields: unknown) => expectNoWrites(sandbox, () => api.create(fields)).then(errorOf);

describe("POST /payment/create", () => {
  it("returns an unguessable token and the URL of its payment page, and creates an order that GET /orders/{id} returns", async () => {
    const { token, payment_url } = await api.createPayment();
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(payment_url).toBe(`${PAY_URL}/pay/${token}`);
    const payment = await api.readPayment(token);
    const listed = await payApi(server, sandbox.access.merchant).get(`/orders/${payment.order_id}`);
    expect(listed.body).toMatchObject({
      data: {
        order_id: payment.order_id,
        payment_method: "both",
        description: "One mug",
        reference: null,
        payment_url,
      },
    });
  });

  it("rounds the amount half up to two decimals before checking the currency's decimal places", async () => {
    const rounded: [unknown, string, string][] = [
      [10.005, "EUR", "10.01 EUR"],
      ["10.005", "EUR", "10.01 EUR"],
      [10.0049999, "EUR", "10.00 EUR"],
      [1.115, "EUR", "1.12 EUR"],
      [0.005, "EUR", "0.01 EUR"],
      [1e-2, "EUR", "0.01 EUR"],
      [10.001, "XAF", "10 XAF"],
      [10.0, "XAF", "10 XAF"],
      ["5000.00", "XAF", "5000 XAF"],
    ];
    for (const [amount, currency, text] of rounded)
      expect((await api.readPayment((await api.createPayment({ amount, currency })).token)).amount).toBe(
        text,
      );
  });

  it.each([
    [0.004, "EUR", "must be greater than zero"],
    [0.0049999, "EUR", "must be greater than zero"],
    [0, "EUR", "must be greater than zero"],
    [-1, "EUR", "must be greater than zero"],
    [10.4, "XAF", "must be a whole number"],
    [10.005, "XAF", "must be a whole number"],
    ["1e1", "EUR", "must be a plain decimal number without an exponent"],
    ["", "EUR", "must be a number"],
    ["ten", "EUR", "must be a number"],
    ["+1", "EUR", "must be a number"],
    ["１", "EUR", "must be a number"],
    ["1\u0000", "EUR", "must be a number"],
    [true, "EUR", "must be a number or a decimal text"],
    [[1], "EUR", "must be a number or a decimal text"],
    [100_000_000_001, "EUR", "must be at most 100000000000.00"],
    ["1234567890123456", "EUR", "must have at most 15 significant digits"],
  ])("rejects amount %j %s: %s", async (amount, currency, rest) => {
    expect(await createRejected({ ...PAYMENT_FIELDS, amount, currency })).toEqual(fieldError("amount", rest));
  });

  it("accepts the largest amount and rejects one minor unit more", async () => {
    expect(
      (await api.readPayment((await api.createPayment({ amount: "100000000000.00" })).token)).raw_amount,
    ).toBe(1e11);
    expect((await createRejected({ ...PAYMENT_FIELDS, amount: "100000000000.01" })).status).toBe(400);
  });

  it("reports all missing required fields", async () => {
    const response = await createRejected({});
    expect(response.status).toBe(400);
    expect(Object.keys(response.fields ?? {})).toEqual(Object.keys(PAYMENT_FIELDS));
    for (const field of Object.keys(PAYMENT_FIELDS))
      for (const nothing of [undefined, null])
        expect(await createRejected({ ...PAYMENT_FIELDS, [field]: nothing })).toEqual(
          fieldError(field, "is required"),
        );
  });

  it.each([
    ["eur", "must be an uppercase ISO 4217 code"],
    ["EURO", "must be an uppercase ISO 4217 code"],
    ["", "must be an uppercase ISO 4217 code"],
    ["€€€", "must be an uppercase ISO 4217 code"],
    [978, "must be text"],
    ["ZZZ", "must be a currency of one of your wallets"],
    ["JPY", "must be a currency of one of your wallets"],
  ])("rejects currency %j: %s", async (currency, rest) => {
    expect(await createRejected({ ...PAYMENT_FIELDS, amount: 10, currency })).toEqual(
      fieldError("currency", rest),
    );
  });

  it.each([
    ["product_name", 500],
    ["order_number", 255],
    ["custom", 255],
    ["idempotency_key", 64],
  ])(
    "requires %s to be text of at most %i characters, counting an astral character as one",
    async (field, max) => {
      const { token } = await api.createPayment({ [field]: ASTRAL.repeat(max) });
      if (field === "order_number" || field === "custom")
        expect(await api.readPayment(token)).toMatchObject({ [field]: ASTRAL.repeat(max) });
      const values: [unknown, string][] = [
        [ASTRAL.repeat(max + 1), `must not be longer than ${max} characters`],
        [5, "must be text"],
        [{}, "must be text"],
        ["a\u0000", "must not contain NUL characters or invalid Unicode"],
        ["\ud83d", "must not contain NUL characters or invalid Unicode"],
        [" ", field in PAYMENT_FIELDS ? "is required" : "must not be blank"],
      ];
      for (const [value, rest] of values)
        expect(await createRejected({ ...PAYMENT_FIELDS, [field]: value })).toEqual(fieldError(field, rest));
    },
  );

  it.each(["return_url", "cancel_url"])(
    "requires %s to be an absolute http(s) URL without credentials",
    async (field) => {
      await api.createPayment({ [field]: "http://localhost:8080/é?a=1#b" });
      for (const value of [
        "shop.example/x",
        "//shop.example",
        "ftp://shop.example/",
        "javascript:alert(1)",
        "https://u:p@shop.example/",
        "https://shop.example/a b",
        "https://",
      ])
        expect(await createRejected({ ...PAYMENT_FIELDS, [field]: value })).toEqual(
          fieldError(field, "must be an absolute http or https URL without credentials"),
        );
      const longest = `https://shop.example/${"a".repeat(2048 - 21)}`;
      await api.createPayment({ [field]: longest });
      expect(await createRejected({ ...PAYMENT_FIELDS, [field]: `${longest}a` })).toEqual(
        fieldError(field, "must not be longer than 2048 characters"),
      );
    },
  );

  it("creates a payment that expires after 3600 s by default, or after expires_in from 60 to 86400 s", async () => {
    const lifetime = async (token: string) => {
      const { created_at, expires_at } = await api.readPayment(token);
      return (Date.parse(expires_at) - Date.parse(created_at)) / 1000;
    };
    expect(await lifetime((await api.createPayment()).token)).toBe(3_600);
    expect(await lifetime((await api.createPayment({ expires_in: null })).token)).toBe(3_600);
    expect(await lifetime((await api.createPayment({ expires_in: 60 })).token)).toBe(60);
    expect(await lifetime((await api.createPayment({ expires_in: 86_400 })).token)).toBe(86_400);
    for (const [value, rest] of [
      [59, "must be at least 60"],
      [86_401, "must not be greater than 86400"],
      [60.5, "must be a whole number of seconds"],
      ["60", "must be a whole number of seconds"],
    ])
      expect(await createRejected({ ...PAYMENT_FIELDS, expires_in: value })).toEqual(
        fieldError("expires_in", String(rest)),
      );
  });

  it("treats null or empty cancel_url, custom and expires_in as omitted, and ignores unknown fields", async () => {
    const { token } = await api.createPayment({
      cancel_url: "",
      custom: null,
      idempotency_key: null,
      expires_in: "",
      callback_url: 5,
      unknown: [],
    });
    expect(await api.readPayment(token)).toMatchObject({ custom: null });
  });

  it.each([null, [], "x", 5])("rejects the body %j, which is not an object", async (body) => {
    expect((await createRejected(body)).status).toBe(400);
  });

  it("returns the same payment on a retry, rejects the key with other fields, and shares no keys with POST /orders", async () => {
    const fields = { ...PAYMENT_FIELDS, idempotency_key: "once", amount: 10 };
    const first = await api.create(fields);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const again = await expectNoWrites(sandbox, () => api.create({ ...fields, amount: "10.004" }));
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(readCreated(again)).toEqual(readCreated(first));
    for (const changed of [{ amount: 10.01 }, { product_name: "b" }, { order_number: "b" }, { custom: "b" }])
      expect(await createRejected({ ...fields, ...changed })).toMatchObject({ status: 409 });
    const order = await payApi(server, sandbox.access.merchant).post("/orders", {
      amount: 10,
      currency: "EUR",
      idempotency_key: "once",
    });
    expect(order.headers.get("idempotent-replayed")).toBeNull();
    expect(order.status).toBe(200);
  });

  it("defines only fields covered by tests", () => {
    expect(Object.keys(createPaymentRequestSchema.shape).sort()).toEqual(
      [
        ...Object.keys(PAYMENT_FIELDS),
        "cancel_url",
        "custom",
        "expires_in",
        "idempotency_key",
        // metadata.test.ts
        "locale",
        "metadata",
      ].sort(),
    );
  });
});
