import { orderSchema } from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { PAY_URL } from "../../support/api-process.js";
import { createOrder, ORDER_CREATED, readOrder } from "../../support/orders.js";
import { addMerchantWallet, merchantIdOf } from "../../support/parties.js";
import { errorOf, fieldError, type PayApi, payApi } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestSandbox } from "../../support/test-api.js";

let api: PayApi;

const sandbox = await createTestSandbox();
beforeAll(async () => {
  api = payApi(await sandbox.startApi(), sandbox.access.merchant);
  const merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
  await addMerchantWallet(sandbox, merchantId, "sandbox", "KWD");
});

const ASTRAL = "𝕏";
const valid = { amount: 41.5, currency: "EUR" };

describe("POST /orders response", () => {
  it("has exactly the eighteen keys of an order, with null for omitted values", async () => {
    const response = await api.post("/orders", valid);
    const order = readOrder(response, ORDER_CREATED);
    expect(Object.keys(order)).toEqual(Object.keys(orderSchema.shape));
    expect(Object.keys(order)).toHaveLength(18);
    const token = order.payment_url?.slice(`${PAY_URL}/pay/`.length) ?? "";
    expect(order).toEqual({
      order_id: expect.stringMatching(/^POS-\d{8}-[A-HJ-NP-Z2-9]{6}$/),
      amount: "41.50 EUR",
      raw_amount: 41.5,
      currency: "EUR",
      payment_method: "both",
      reference: null,
      description: null,
      terminal_id: null,
      status: "PENDING",
      qr_data: `${PAY_URL}/pay/${token}`,
      payment_url: `${PAY_URL}/pay/${token}`,
      trx_id: null,
      paid_at: null,
      expires_at: expect.any(String),
      created_at: expect.any(String),
      refunded_amount: 0,
      metadata: null,
      locale: null,
    });
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(response.headers.get("idempotent-replayed")).toBeNull();
  });

  it("has an expiry 300 seconds after creation by default", async () => {
    const { created_at, expires_at } = await createOrder(api);
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(300_000);
  });

  it.each([
    ["qr_only", { qr_data: true, payment_url: false }],
    ["payment_page", { qr_data: false, payment_url: true }],
    ["both", { qr_data: true, payment_url: true }],
    [null, { qr_data: true, payment_url: true }],
  ])("contains the URLs for payment_method %s", async (payment_method, shown) => {
    const order = await createOrder(api, { payment_method });
    expect({ qr_data: order.qr_data !== null, payment_url: order.payment_url !== null }).toEqual(shown);
    expect(order.payment_method).toBe(payment_method ?? "both");
  });

  it("is unaffected by unknown fields", async () => {
    const unknown = {
      id: "POS-1",
      status: "PAID",
      merchant_id: "x",
      constructor: 1,
      toString: 1,
      mode: "live",
    };
    const order = await createOrder(api, unknown);
    expect(order).toMatchObject({ status: "PENDING", amount: "41.50 EUR" });
    const sent = `{"amount":1,"currency":"EUR","__proto__":{"payment_method":"qr_only","reference":"polluted"}}`;
    const polluted = readOrder(await api.post("/orders", JSON.parse(sent)), ORDER_CREATED);
    expect(polluted).toMatchObject({ payment_method: "both", reference: null });
  });
});

describe("POST /orders amount", () => {
  it.each([
    [10, "EUR", "10.00 EUR", 10],
    ["10", "EUR", "10.00 EUR", 10],
    ["10.00", "EUR", "10.00 EUR", 10],
    ["10.000", "EUR", "10.00 EUR", 10],
    [0.01, "EUR", "0.01 EUR", 0.01],
    [0.1, "EUR", "0.10 EUR", 0.1],
    [5000, "XAF", "5000 XAF", 5000],
    ["5000.0", "XAF", "5000 XAF", 5000],
    [1.005, "KWD", "1.005 KWD", 1.005],
    ["100000000000.00", "EUR", "100000000000.00 EUR", 100_000_000_000],
    [10_000_000_000_000, "XAF", "10000000000000 XAF", 10_000_000_000_000],
    [10_000_000_000, "KWD", "10000000000.000 KWD", 10_000_000_000],
  ])("accepts %j %s as %s", async (amount, currency, text, raw) => {
    const order = await createOrder(api, { amount, currency });
    expect(order).toMatchObject({ amount: text, raw_amount: raw, currency });
  });

  it.each([
    [0, "EUR", "must be greater than zero"],
    ["0.00", "EUR", "must be greater than zero"],
    [-1, "EUR", "must be greater than zero"],
    ["-0.01", "EUR", "must be greater than zero"],
    [0.001, "EUR", "must have at most 2 decimals"],
    ["10.005", "EUR", "must have at most 2 decimals"],
    [0.5, "XAF", "must be a whole number"],
    [1.0005, "KWD", "must have at most 3 decimals"],
    [1e-7, "EUR", "must have at most 2 decimals"],
    [0.1 + 0.2, "EUR", "must have at most 15 significant digits"],
    ["1234567890123456", "XAF", "must have at most 15 significant digits"],
    ["100000000000.01", "EUR", "must be at most 100000000000.00"],
    [10_000_000_000_001, "XAF", "must be at most 10000000000000"],
    [1e21, "EUR", "is too large"],
    ["1e2", "EUR", "must be a plain decimal number without an exponent"],
    ["1E+2", "EUR", "must be a plain decimal number without an exponent"],
    ["ten", "EUR", "must be a number"],
    ["10,00", "EUR", "must be a number"],
    [" 10", "EUR", "must be a number"],
    ["+10", "EUR", "must be a number"],
    ["010", "EUR", "must be a number"],
    ["0x10", "EUR", "must be a number"],
    ["１０", "EUR", "must be a number"],
    ["10\u0000", "EUR", "must be a number"],
    ["1".repeat(60_000), "EUR", "must be a number"],
    ["", "EUR", "must be a number"],
    [true, "EUR", "must be a number or a decimal text"],
    [[10], "EUR", "must be a number or a decimal text"],
    [{ value: 10 }, "EUR", "must be a number or a decimal text"],
    [null, "EUR", "is required"],
    [undefined, "EUR", "is required"],
  ])("rejects %j %s: %s", async (amount, currency, rest) => {
    const response = await expectNoWrites(sandbox, () => api.post("/orders", { amount, currency }));
    expect(errorOf(response)).toEqual(fieldError("amount", rest));
  });

  it("rejects a number too large for a double", async () => {
    const response = await expectNoWrites(sandbox, () =>
      api.postText("/orders", '{"amount":1e400,"currency":"EUR"}'),
    );
    expect(errorOf(response)).toEqual(fieldError("amount", "must be a number or a decimal text"));
  });
});

describe("POST /orders currency", () => {
  it.each([
    ["JPY", "must be a currency of one of your wallets"],
    ["GBP", "must be a currency of one of your wallets"],
    ["ZZZ", "must be a currency of one of your wallets"],
    ["eur", "must be an uppercase ISO 4217 code"],
    ["EU", "must be an uppercase ISO 4217 code"],
    ["EURO", "must be an uppercase ISO 4217 code"],
    ["EUR\n", "must be an uppercase ISO 4217 code"],
    ["E\u0000R", "must be an uppercase ISO 4217 code"],
    ["", "must be an uppercase ISO 4217 code"],
    [978, "must be text"],
    [["EUR"], "must be text"],
    [null, "is required"],
    [undefined, "is required"],
  ])("rejects %j: %s", async (currency, rest) => {
    const response = await expectNoWrites(sandbox, () => api.post("/orders", { amount: 10, currency }));
    expect(errorOf(response)).toEqual(fieldError("currency", rest));
  });

  it("rejects a currency whose wallet was closed", async () => {
    await sandbox.database.pool.query(
      "UPDATE accounts SET closed_at = now() WHERE currency = 'KWD' AND kind = 'merchant'",
    );
    const response = await expectNoWrites(sandbox, () => api.post("/orders", { amount: 1, currency: "KWD" }));
    expect(errorOf(response)).toEqual(fieldError("currency", "must be a currency of one of your wallets"));
    await sandbox.database.pool.query(
      "UPDATE accounts SET closed_at = NULL WHERE currency = 'KWD' AND kind = 'merchant'",
    );
  });
});

describe("POST /orders text field", () => {
  const limits = { reference: 255, description: 500, terminal_id: 64, idempotency_key: 64 };

  it.each(Object.entries(limits))(
    "%s accepts up to %i characters, counting an astral character as one",
    async (field, max) => {
      await createOrder(api, { [field]: "a" });
      await createOrder(api, { [field]: "é".repeat(max) });
      const order = await createOrder(api, { [field]: ASTRAL.repeat(max) });
      if (field in order) expect(order).toMatchObject({ [field]: ASTRAL.repeat(max) });
      const response = await expectNoWrites(sandbox, () =>
        api.post("/orders", { ...valid, [field]: ASTRAL.repeat(max + 1) }),
      );
      expect(errorOf(response)).toEqual(fieldError(field, `must not be longer than ${max} characters`));
    },
  );

  // An empty key is rejected: idempotency-header.test.ts.
  const emptiable = Object.keys(limits).filter((field) => field !== "idempotency_key");
  it.each(emptiable)("%s is treated as omitted if it is null or empty", async (field) => {
    for (const empty of [null, ""]) {
      const order = await createOrder(api, { [field]: empty });
      if (field in order) expect(order).toMatchObject({ [field]: null });
    }
  });

  it.each(Object.keys(limits))(
    "%s rejects other types, blank text and characters that cannot be stored",
    async (field) => {
      const rejected: [unknown, string][] = [
        [7, "must be text"],
        [true, "must be text"],
        [["a"], "must be text"],
        [{}, "must be text"],
        ["a\u0000b", "must not contain NUL characters or invalid Unicode"],
        ["a\ud800", "must not contain NUL characters or invalid Unicode"],
        ["\udc00a", "must not contain NUL characters or invalid Unicode"],
        ["   ", "must not be blank"],
      ];
      for (const [value, rest] of rejected) {
        const response = await expectNoWrites(sandbox, () =>
          api.post("/orders", { ...valid, [field]: value }),
        );
        expect(errorOf(response)).toEqual(fieldError(field, rest));
      }
    },
  );

  it("description is returned exactly as sent", async () => {
    const description = ' <b>"Ünïcødé"</b> \\ \' ; -- \u202e\u200d\r\n\t👩‍👩‍👧 %00 {x} ';
    expect(await createOrder(api, { description })).toMatchObject({ description });
  });
});

describe("POST /orders URL", () => {
  const fields = ["callback_url", "return_url", "cancel_url"];
  const rejection = "must be an absolute http or https URL without credentials";

  it.each(fields)("%s accepts absolute http and https URLs without credentials", async (field) => {
    for (const address of [
      "https://shop.example/return?order=7&key=wc_order_1#done",
      "http://127.0.0.1:4003/x",
      "https://münchen.example/ü",
      `https://shop.example/${"a".repeat(2048 - "https://shop.example/".length)}`,
      null,
      "",
    ])
      await createOrder(api, { [field]: address });
  });

  it.each(fields)(
    "%s rejects values that are not absolute http or https URLs without credentials, and URLs longer than 2048 characters",
    async (field) => {
      for (const address of [
        "shop.example/return",
        "/return",
        "//shop.example",
        "ftp://shop.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://",
        "https://user:password@shop.example",
        "https://user@shop.example",
        "https://shop .example",
        "https://shop.example/a\nb",
        "https://[::1",
        " https://shop.example",
      ]) {
        const response = await expectNoWrites(sandbox, () =>
          api.post("/orders", { ...valid, [field]: address }),
        );
        expect({ address, ...errorOf(response) }).toEqual({ address, ...fieldError(field, rejection) });
      }
      const tooLong = `https://shop.example/${"a".repeat(2049 - "https://shop.example/".length)}`;
      expect(errorOf(await api.post("/orders", { ...valid, [field]: tooLong }))).toEqual(
        fieldError(field, "must not be longer than 2048 characters"),
      );
      expect(errorOf(await api.post("/orders", { ...valid, [field]: 7 }))).toEqual(
        fieldError(field, "must be text"),
      );
    },
  );
});

describe("POST /orders expires_in", () => {
  it("treats null and empty as omitted", async () => {
    for (const expires_in of [null, ""]) {
      const { created_at, expires_at } = await createOrder(api, { expires_in });
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(300_000);
    }
  });

  it.each([60, 61, 3599, 3600])(
    "accepts %i seconds, and adds them to the creation time",
    async (expires_in) => {
      const { created_at, expires_at } = await createOrder(api, { expires_in });
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(expires_in * 1000);
    },
  );

  it.each([
    [59, "must be at least 60"],
    [0, "must be at least 60"],
    [-300, "must be at least 60"],
    [3601, "must not be greater than 3600"],
    [300.5, "must be a whole number of seconds"],
    ["300", "must be a whole number of seconds"],
    [true, "must be a whole number of seconds"],
  ])("rejects %j: %s", async (expires_in, rest) => {
    const response = await expectNoWrites(sandbox, () => api.post("/orders", { ...valid, expires_in }));
    expect(errorOf(response)).toEqual(fieldError("expires_in", rest));
  });
});

describe("POST /orders payment_method", () => {
  it("treats null and empty as omitted", async () => {
    for (const payment_method of [null, ""])
      expect(await createOrder(api, { payment_method })).toMatchObject({ payment_method: "both" });
  });

  it.each(["QR_ONLY", "qr", 1, ["both"], {}])("rejects %j", async (payment_method) => {
    const response = await expectNoWrites(sandbox, () => api.post("/orders", { ...valid, payment_method }));
    expect(errorOf(response)).toEqual(
      fieldError("payment_method", "must be one of qr_only, payment_page, both"),
    );
  });
});

it("POST /orders reports every rejected field, in the order of the contract", async () => {
  const response = await expectNoWrites(sandbox, () =>
    api.post("/orders", { reference: 1, expires_in: 5, callback_url: "x" }),
  );
  const { status, texts, fields } = errorOf(response);
  expect(status).toBe(400);
  expect(Object.keys(fields ?? {})).toEqual([
    "amount",
    "currency",
    "reference",
    "callback_url",
    "expires_in",
  ]);
  expect(texts).toEqual(Object.values(fields ?? {}).flat());
});
