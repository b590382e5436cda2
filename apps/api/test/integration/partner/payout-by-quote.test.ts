import { payoutSchema } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import {
  accountBalance,
  addApiToken,
  addPartner,
  addRecipient,
  COMPLETED,
  lookUpRecipient,
  type PartnerApi,
  partnerApi,
  partnerError,
  partnerFieldError,
  REPEATED,
  readPayout,
  readQuote,
  setRates,
} from "../../support/partner.js";
import { setUpPayouts } from "../../support/payout-fixture.js";
import { expectNoWrites } from "../../support/rows.js";

const INVALID_QUOTE = partnerError("Invalid or expired quote.");

const { paid: pay, expectRejectedPayout, run, scene } = setUpPayouts({ wallets: { EUR: 10_000n } });

const quote = async (changed: Record<string, unknown> = {}, by = scene().api) =>
  readQuote(
    await by.post("/quote", {
      lookup_token: scene().lookup_token,
      amount: 10,
      sender_currency: "EUR",
      receiver_currency: "XAF",
      ...changed,
    }),
  );

let requests = 0;
const fields = (quote_id: unknown, changed: Record<string, unknown> = {}) => {
  requests += 1;
  return { quote_id, reference: `r${requests}`, idempotency_key: `k${requests}`, ...changed };
};
const rejected = (quote_id: unknown, changed: Record<string, unknown> = {}, by?: PartnerApi) =>
  expectRejectedPayout(fields(quote_id, changed), by);
const paid = (quote_id: string, changed: Record<string, unknown> = {}) => pay(fields(quote_id, changed));

describe("POST /payout with a quote", () => {
  it("pays on the quote's terms, and needs only quote_id, reference and idempotency_key", async () => {
    const quoted = await quote();
    const payout = await paid(quoted.quote_id);
    expect(Object.keys(payout)).toEqual(Object.keys(payoutSchema.shape));
    const { quote_id: _id, expires_at: _expires, sender_currency: currency, ...terms } = quoted;
    expect(payout).toMatchObject({ ...terms, currency, status: "completed" });
    expect(await accountBalance(scene().sandbox, scene().partner.wallets.EUR)).toBe(8_970n);
    expect(await accountBalance(scene().sandbox, scene().recipient.wallets.XAF)).toBe(6_493n);
  });

  it("accepts a quote once: a second payout is rejected, and a retry returns the first payout", async () => {
    const { quote_id } = await quote();
    const once = fields(quote_id);
    const payout = readPayout(await scene().api.post("/payout", once), COMPLETED);
    expect(await rejected(quote_id)).toEqual(INVALID_QUOTE);
    expect(
      readPayout(await expectNoWrites(scene().sandbox, () => scene().api.post("/payout", once)), REPEATED),
    ).toEqual(payout);
    expect(await rejected(quote_id, { reference: once.reference })).toEqual(
      partnerError("Duplicate reference."),
    );
  });

  it("rejects a quote once it has expired by database time, even with a valid lookup token", async () => {
    const { quote_id } = await quote();
    await run(
      "UPDATE quotes SET expires_at = clock_timestamp() + interval '30 seconds' WHERE id = $1",
      quote_id,
    );
    await paid(quote_id);
    const late = await quote();
    await run("UPDATE quotes SET expires_at = clock_timestamp() WHERE id = $1", late.quote_id);
    expect(await rejected(late.quote_id)).toEqual(INVALID_QUOTE);
  });

  it("accepts a quote whose lookup token has expired", async () => {
    const { quote_id } = await quote();
    await run("UPDATE lookup_tokens SET expires_at = clock_timestamp() WHERE id = $1", scene().lookup_token);
    await paid(quote_id, { lookup_token: scene().lookup_token });
  });

  it("returns the same error for unknown quotes and for quotes of another merchant or mode", async () => {
    const other = await addPartner(scene().sandbox);
    const otherApi = partnerApi(scene().server, other.token);
    const foreign = await quote(
      { lookup_token: await lookUpRecipient(otherApi, scene().recipient), receiver_currency: "EUR" },
      otherApi,
    );
    const live = partnerApi(
      scene().server,
      await addApiToken(scene().sandbox, scene().partner.merchantId, "live"),
    );
    const mine = await quote();
    for (const id of [
      "x",
      "é𝕏",
      "00000000-0000-4000-8000-000000000000",
      scene().lookup_token,
      foreign.quote_id,
    ])
      expect(await rejected(id)).toEqual(INVALID_QUOTE);
    expect(await rejected(mine.quote_id, {}, otherApi)).toEqual(INVALID_QUOTE);
    expect(await rejected(mine.quote_id, {}, live)).toEqual(INVALID_QUOTE);
    await paid(mine.quote_id);
  });

  it("does not use up the quote if the payout is rejected", async () => {
    const { quote_id } = await quote({ amount: 99 });
    await paid((await quote({ amount: 1 })).quote_id);
    expect(await rejected(quote_id)).toEqual(partnerError("Insufficient balance."));
    expect(await rejected(quote_id, { amount: 1 })).toMatchObject({ status: 422 });
    const terms = "UPDATE payout_terms SET daily = $2 WHERE merchant_id = $1";
    await run(terms, scene().partner.merchantId, 9_999);
    expect(await rejected(quote_id)).toEqual(partnerError("Daily payout limit exceeded"));
    await run(terms, scene().partner.merchantId, null);
    await run(
      `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'deposit', 'EUR',
         (SELECT id FROM accounts WHERE mode = 'sandbox' AND currency = 'EUR' AND kind = 'funding'), $1, 1000, $2)`,
      scene().partner.wallets.EUR,
      `more ${scene().partner.merchantId}`,
    );
    expect((await paid(quote_id)).amount).toBe(99);
  });
});

describe("POST /payout with fields that repeat a quote", () => {
  it.each([
    [0, "must be greater than zero"],
    [-1, "must be greater than zero"],
    ["1e1", "must be a plain decimal number without an exponent"],
    ["ten", "must be a number"],
    ["0.00001", "must have at most 4 decimals"],
  ])("rejects the invalid amount %j before reading the quote", async (amount, rest) => {
    const unknown = "6f1c0b7e-2f8d-4a39-8f64-1c2d3e4f5a6b";
    expect(await rejected(unknown, { amount })).toEqual(partnerFieldError("amount", rest));
    expect(await rejected(unknown, { amount: 1e10 })).toEqual(INVALID_QUOTE);
    const inEuro = { amount: "0.001", sender_currency: "EUR" };
    expect(await rejected(unknown, inEuro)).toEqual(
      partnerFieldError("amount", "must have at most 2 decimals"),
    );
  });

  it("accepts equal values, another lookup token of the same recipient, and empty values as omitted", async () => {
    const same = { amount: "10.00", sender_currency: "EUR", receiver_currency: "XAF" };
    await paid((await quote()).quote_id, { ...same, lookup_token: scene().lookup_token });
    await paid((await quote()).quote_id, {
      ...same,
      lookup_token: await lookUpRecipient(scene().api, scene().recipient),
    });
    await paid((await quote()).quote_id, {
      amount: null,
      sender_currency: "",
      receiver_currency: null,
      lookup_token: "",
    });
  });

  it.each([
    ["amount", 10.01],
    ["amount", "9.99"],
    ["sender_currency", "XAF"],
    ["receiver_currency", "EUR"],
    ["receiver_currency", "xaf"],
    ["lookup_token", "x"],
    ["lookup_token", "00000000-0000-4000-8000-000000000000"],
  ])("rejects a different %s (%j) and leaves the quote unused", async (field, value) => {
    const { quote_id } = await quote();
    expect(await rejected(quote_id, { [field]: value })).toEqual(
      partnerFieldError(field, "must equal the quote's or be omitted"),
    );
    await paid(quote_id);
  });

  it("rejects a lookup token of another recipient or of another merchant", async () => {
    const { quote_id } = await quote();
    const other = partnerApi(scene().server, (await addPartner(scene().sandbox)).token);
    for (const token of [
      await lookUpRecipient(scene().api, await addRecipient(scene().sandbox)),
      await lookUpRecipient(other, scene().recipient),
    ])
      expect(await rejected(quote_id, { lookup_token: token })).toEqual(
        partnerFieldError("lookup_token", "must equal the quote's or be omitted"),
      );
  });

  it("reports every field that differs, and an invalid amount as invalid", async () => {
    const { quote_id } = await quote();
    const response = await rejected(quote_id, {
      amount: 1,
      sender_currency: "USD",
      receiver_currency: "EUR",
      lookup_token: "x",
    });
    expect(Object.keys(response.fields ?? {}).sort()).toEqual([
      "amount",
      "lookup_token",
      "receiver_currency",
      "sender_currency",
    ]);
    expect(await rejected(quote_id, { amount: 0 })).toEqual(
      partnerFieldError("amount", "must be greater than zero"),
    );
    expect(await rejected(quote_id, { amount: [] })).toEqual(
      partnerFieldError("amount", "must be a number or a decimal text"),
    );
  });

  it.each([
    [7, "must be text"],
    [["a"], "must be text"],
    ["a\u0000", "must not contain NUL characters or invalid Unicode"],
    ["a".repeat(65), "must not be longer than 64 characters"],
    [" ", "is required"],
  ])("rejects quote_id %j: %s", async (quote_id, rest) => {
    expect(await rejected(quote_id)).toEqual(partnerFieldError("quote_id", rest));
  });
});

describe("POST /payout with a quote issued before a change", () => {
  const changes: [what: string, sql: string, answer: string][] = [
    [
      "the recipient was deactivated",
      "UPDATE wallet_users SET active = false WHERE id = $1",
      "Recipient not found or inactive.",
    ],
    [
      "the recipient's wallet was closed",
      "UPDATE accounts SET closed_at = clock_timestamp() WHERE wallet_user_id = $1 AND currency = 'XAF'",
      "Recipient wallet not found for currency: XAF",
    ],
  ];
  it.each(changes)("is rejected if %s", async (_what, sql, response) => {
    const { quote_id } = await quote();
    await run(sql, scene().recipient.id);
    expect(await rejected(quote_id)).toEqual(partnerError(response));
  });

  it("is rejected while the receiver currency is inactive", async () => {
    const { quote_id } = await quote();
    await run("UPDATE currencies SET active = false WHERE code = 'XAF'");
    expect(await rejected(quote_id)).toEqual(partnerError("Invalid receiver currency."));
    await run("UPDATE currencies SET active = true WHERE code = 'XAF'");
    await paid(quote_id);
  });

  it("is rejected if the sender currency lost its authorisation or the limits were lowered", async () => {
    const { quote_id } = await quote();
    const terms = (sql: string) =>
      run(`UPDATE payout_terms SET ${sql} WHERE merchant_id = $1`, scene().partner.merchantId);
    await terms("authorized = false");
    expect(await rejected(quote_id)).toEqual(partnerError("Currency EUR is not authorized for payouts."));
    await terms("authorized = true, per_transaction = 999");
    expect(await rejected(quote_id)).toEqual(partnerError("Amount exceeds per-transaction limit"));
    await terms("per_transaction = 1000, monthly = 999");
    expect(await rejected(quote_id)).toEqual(partnerError("Monthly payout limit exceeded"));
    await terms("monthly = 1000");
    await paid(quote_id);
  });

  it("is paid at the quote's rate even if the exchange rate has changed", async () => {
    const { quote_id, expires_at: _expires, sender_currency: currency, ...terms } = await quote();
    const set = (factor: number) =>
      run(
        setRates(
          `SELECT mode, base, quote, rate * $1, spread_percent, clock_timestamp() FROM exchange_rates
           WHERE base = 'EUR' AND quote = 'XAF' ORDER BY effective_from DESC, created_at DESC LIMIT 1`,
        ),
        factor,
      );
    await set(2);
    expect(await paid(quote_id)).toMatchObject({ ...terms, currency });
    expect(await accountBalance(scene().sandbox, scene().recipient.wallets.XAF)).toBe(6_493n);
    expect((await quote()).exchange_rate).not.toBe(terms.exchange_rate);
    await set(0.5);
  });
});
