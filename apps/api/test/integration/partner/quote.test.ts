import { QUOTE_MINUTES, quoteRequestSchema, quoteSchema } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import {
  addApiToken,
  addPartner,
  addRecipient,
  lookUpRecipient,
  partnerApi,
  partnerError,
  partnerFieldError,
  readQuote,
} from "../../support/partner.js";
import { setUpPayouts } from "../../support/payout-fixture.js";
import { errorOf } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";

const { run, scene } = setUpPayouts({ wallets: { EUR: 100_000n, XAF: 1_000_000n, USD: 0n } });

const fields = (changed: Record<string, unknown> = {}) => ({
  lookup_token: scene().lookup_token,
  amount: 10,
  sender_currency: "EUR",
  receiver_currency: "EUR",
  ...changed,
});
const expectRejected = (changed: Record<string, unknown>, by = scene().api) =>
  expectNoWrites(scene().sandbox, () => by.post("/quote", fields(changed))).then(errorOf);

describe("POST /quote", () => {
  it("returns nine keys, rate 1 within one currency, the fee on top, and an expiry in five minutes", async () => {
    const quote = readQuote(await scene().api.post("/quote", fields()));
    expect(Object.keys(quote)).toEqual(Object.keys(quoteSchema.shape));
    expect(quote).toEqual({
      quote_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      amount: 10,
      sender_currency: "EUR",
      receiver_currency: "EUR",
      exchange_rate: 1,
      fee: 0.3,
      total_deducted: 10.3,
      receiver_amount: 10,
      expires_at: expect.any(String),
    });
    const { rows } = await run(
      "SELECT round(extract(epoch FROM expires_at - created_at))::int AS seconds, used_at FROM quotes WHERE id = $1",
      quote.quote_id,
    );
    expect(rows).toEqual([{ seconds: QUOTE_MINUTES * 60, used_at: null }]);
  });

  it("does not check the merchant's balance", async () => {
    const quote = readQuote(await scene().api.post("/quote", fields({ amount: 99_999 })));
    expect(quote.total_deducted).toBe(100_499.25);
  });

  it("accepts a lookup token repeatedly", async () => {
    const ids = new Set<string>();
    for (let i = 1; i <= 3; i += 1)
      ids.add(readQuote(await scene().api.post("/quote", fields({ amount: i }))).quote_id);
    expect(ids.size).toBe(3);
  });

  it("ignores extra fields, and accepts a decimal string as amount", async () => {
    const quote = readQuote(
      await scene().api.post("/quote", fields({ amount: "10.00", fee: 0, exchange_rate: 9 })),
    );
    expect(quote).toMatchObject({ amount: 10, fee: 0.3, exchange_rate: 1 });
  });
});

describe("POST /quote", () => {
  const expiredToken = partnerError("Invalid or expired lookup token.");

  it("rejects a lookup token once it has expired by database time", async () => {
    await run(
      "UPDATE lookup_tokens SET expires_at = clock_timestamp() + interval '20 seconds' WHERE id = $1",
      scene().lookup_token,
    );
    readQuote(await scene().api.post("/quote", fields()));
    await run("UPDATE lookup_tokens SET expires_at = clock_timestamp() WHERE id = $1", scene().lookup_token);
    expect(await expectRejected({})).toEqual(expiredToken);
  });

  it("rejects an unknown lookup token, and a lookup token of another merchant or mode", async () => {
    const other = partnerApi(scene().server, (await addPartner(scene().sandbox)).token);
    const live = partnerApi(
      scene().server,
      await addApiToken(scene().sandbox, scene().partner.merchantId, "live"),
    );
    const liveRecipient = await addRecipient(scene().sandbox, { EUR: 0n }, "live");
    for (const token of [
      "x",
      "é𝕏",
      "00000000-0000-4000-8000-000000000000",
      `${scene().lookup_token} `,
      `{${scene().lookup_token}}`,
      scene().recipient.id,
      await lookUpRecipient(other, scene().recipient),
      await lookUpRecipient(live, liveRecipient),
    ])
      expect(await expectRejected({ lookup_token: token })).toEqual(expiredToken);
    expect(await expectRejected({}, other)).toEqual(expiredToken);
    expect(await expectRejected({}, live)).toEqual(expiredToken);
  });

  it("rejects a recipient who was deactivated after the lookup", async () => {
    await run("UPDATE wallet_users SET active = false WHERE id = $1", scene().recipient.id);
    expect(await expectRejected({})).toEqual(partnerError("Recipient not found or inactive."));
  });

  it("rejects a sender currency that is inactive, or in which the merchant has no open wallet", async () => {
    const noWallet = (code: string) => partnerError(`Merchant wallet not found for currency: ${code}`);
    expect(await expectRejected({ sender_currency: "$&" })).toEqual(noWallet("$&"));
    for (const code of ["KWD", "ZZZ", "eur", "é", "ABCDEFGHIJ"])
      expect(await expectRejected({ sender_currency: code })).toEqual(noWallet(code));
    await run("UPDATE accounts SET closed_at = clock_timestamp() WHERE id = $1", scene().partner.wallets.USD);
    expect(await expectRejected({ sender_currency: "USD" })).toEqual(noWallet("USD"));
    const active = (value: boolean) => run("UPDATE currencies SET active = $1 WHERE code = 'XAF'", value);
    await active(false);
    expect(await expectRejected({ sender_currency: "XAF", amount: 1_000 })).toEqual(noWallet("XAF"));
    await active(true);
  });

  it("rejects a receiver currency that is unknown, inactive or without a rate", async () => {
    const invalid = partnerError("Invalid receiver currency.");
    for (const code of ["ZZZ", "eur", "é", "ABCDEFGHIJ", "KWD"])
      expect(await expectRejected({ receiver_currency: code })).toEqual(invalid);
    await run("UPDATE currencies SET active = false WHERE code = 'XAF'");
    expect(await expectRejected({ receiver_currency: "XAF" })).toEqual(invalid);
    await run("UPDATE currencies SET active = true WHERE code = 'XAF'");
    readQuote(await scene().api.post("/quote", fields({ receiver_currency: "XAF" })));
  });

  it("rejects a recipient without an open wallet in the receiver currency", async () => {
    expect(await expectRejected({ receiver_currency: "USD" })).toEqual(
      partnerError("Recipient has no wallet for currency: USD"),
    );
    await run(
      "UPDATE accounts SET closed_at = clock_timestamp() WHERE id = $1",
      scene().recipient.wallets.EUR,
    );
    expect(await expectRejected({})).toEqual(partnerError("Recipient has no wallet for currency: EUR"));
  });

  it("rejects a sender currency that is not authorised or has no payout terms", async () => {
    const unauthorized = partnerError("Currency EUR is not authorized for payouts.");
    await run(
      "UPDATE payout_terms SET authorized = false WHERE merchant_id = $1 AND currency = 'EUR'",
      scene().partner.merchantId,
    );
    expect(await expectRejected({})).toEqual(unauthorized);
    await run(
      "DELETE FROM payout_terms WHERE merchant_id = $1 AND currency = 'EUR'",
      scene().partner.merchantId,
    );
    expect(await expectRejected({})).toEqual(unauthorized);
    expect((await expectRejected({ sender_currency: "XAF", amount: 6 })).status, "XAF stays authorised").toBe(
      422,
    );
  });

  it("rejects an amount that would credit nothing or more than the maximum", async () => {
    const rest = "must credit at least one unit and at most 10^13 units of the receiver currency";
    expect(await expectRejected({ amount: 6, sender_currency: "XAF" })).toEqual(
      partnerFieldError("amount", rest),
    );
    expect(
      readQuote(await scene().api.post("/quote", fields({ amount: 7, sender_currency: "XAF" })))
        .receiver_amount,
    ).toBe(0.01);
    expect(await expectRejected({ amount: 99_999_999_999, receiver_currency: "XAF" })).toEqual(
      partnerFieldError("amount", rest),
    );
  });

  it("returns only the first error in the contract's order", async () => {
    const textOf = async (changed: Record<string, unknown>) => (await expectRejected(changed)).texts[0];
    await run(
      "UPDATE payout_terms SET authorized = false WHERE merchant_id = $1",
      scene().partner.merchantId,
    );
    await run("UPDATE wallet_users SET active = false WHERE id = $1", scene().recipient.id);
    const wrong = { lookup_token: "x", amount: 0, sender_currency: "KWD", receiver_currency: "ZZZ" };
    expect(await textOf(wrong)).toBe("Validation error");
    expect(await textOf({ ...wrong, amount: 0.00001 })).toBe("Validation error");
    expect(await textOf({ ...wrong, amount: 1 })).toBe("Invalid or expired lookup token.");
    expect(await textOf({ ...wrong, amount: 1, lookup_token: scene().lookup_token })).toBe(
      "Recipient not found or inactive.",
    );
    await run("UPDATE wallet_users SET active = true WHERE id = $1", scene().recipient.id);
    expect(await textOf({ ...wrong, amount: 1, lookup_token: scene().lookup_token })).toBe(
      "Merchant wallet not found for currency: KWD",
    );
    const sender = { amount: 1, sender_currency: "XAF" };
    expect(await textOf({ ...sender, receiver_currency: "ZZZ" })).toBe("Invalid receiver currency.");
    expect(await textOf({ ...sender, receiver_currency: "USD" })).toBe(
      "Recipient has no wallet for currency: USD",
    );
    expect(await textOf(sender)).toBe("Currency XAF is not authorized for payouts.");
    await run("UPDATE payout_terms SET authorized = true WHERE merchant_id = $1", scene().partner.merchantId);
    expect(await textOf(sender)).toBe("Validation error");
  });
});

describe("POST /quote", () => {
  it.each(Object.keys(quoteRequestSchema.shape))("requires %s", async (field) => {
    for (const nothing of [undefined, null])
      expect(await expectRejected({ [field]: nothing })).toEqual(partnerFieldError(field, "is required"));
  });

  it.each([
    ["lookup_token", 64],
    ["sender_currency", 10],
    ["receiver_currency", 10],
  ])("requires %s to be text of at most %i characters", async (field, max) => {
    const values: [unknown, string][] = [
      ["", "is required"],
      [" ", "is required"],
      [7, "must be text"],
      [[], "must be text"],
      ["𝕏".repeat(max + 1), `must not be longer than ${max} characters`],
      ["a\u0000", "must not contain NUL characters or invalid Unicode"],
      ["\ud83d", "must not contain NUL characters or invalid Unicode"],
    ];
    for (const [value, rest] of values)
      expect(await expectRejected({ [field]: value })).toEqual(partnerFieldError(field, rest));
    expect((await expectRejected({ [field]: "𝕏".repeat(max) })).status).toBe(400);
  });

  it.each([
    [0, "must be greater than zero"],
    [-0.01, "must be greater than zero"],
    [0.001, "must have at most 2 decimals"],
    ["1e1", "must be a plain decimal number without an exponent"],
    ["", "must be a number"],
    ["ten", "must be a number"],
    [" 1", "must be a number"],
    ["1\u0000", "must be a number"],
    ["∞", "must be a number"],
    [true, "must be a number or a decimal text"],
    [[1], "must be a number or a decimal text"],
    [{ value: 1 }, "must be a number or a decimal text"],
    ["100000000000.01", "must be at most 100000000000.00"],
    [1e21, "is too large"],
  ])("rejects the amount %j: %s", async (amount, rest) => {
    expect(await expectRejected({ amount })).toEqual(partnerFieldError("amount", rest));
  });

  it("accepts the smallest and the largest amount, and only whole numbers in a currency without decimals", async () => {
    expect(readQuote(await scene().api.post("/quote", fields({ amount: 0.01 })))).toMatchObject({
      amount: 0.01,
      fee: 0.25,
    });
    expect(readQuote(await scene().api.post("/quote", fields({ amount: "100000000000.00" })))).toMatchObject({
      amount: 1e11,
      fee: 500_000_000.25,
      total_deducted: 100_500_000_000.25,
    });
    expect(await expectRejected({ amount: 0.5, sender_currency: "XAF" })).toEqual(
      partnerFieldError("amount", "must be a whole number"),
    );
  });

  it("reports all invalid fields", async () => {
    expect(
      Object.keys(
        (await expectRejected({ lookup_token: 1, amount: [], sender_currency: null })).fields ?? {},
      ),
    ).toEqual(["lookup_token", "amount", "sender_currency"]);
  });
});
