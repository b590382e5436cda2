import { ErrorCode, FieldRule, fieldError } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import type { Context } from "../../../src/context.js";
import { OperationError } from "../../../src/errors.js";
import { type PayoutFacts, type PayoutInput, pricePayout } from "../../../src/money/payouts/facts.js";
import { validatePayout } from "../../../src/money/payouts/rules.js";

const EUR = { code: "EUR", digits: 2, active: true };
const XAF = { code: "XAF", digits: 0, active: true };
/** A context that has no database but knows the currencies of the amounts. */
const context = {
  memory: { currencies: new Map([EUR, XAF].map((currency) => [currency.code, currency])) },
} as unknown as Context;

const withoutCurrencies = {
  memory: { currencies: new Map() },
  database: { prisma: { currency: { findUnique: async () => null } } },
} as unknown as Context;

const direct: PayoutFacts = {
  existingPayoutId: null,
  referenceTaken: false,
  quote: null,
  recipient: { id: "recipient", active: true },
  tokenRecipientId: "recipient",
  merchantWallet: "merchant EUR",
  recipientWallet: "recipient XAF",
  sender: EUR,
  receiver: XAF,
  terms: { reviewAbove: null },
  fee: { fixed: 25n, percent: "1" },
  rate: "655.957",
};
const quote = { id: "quote", amount: 1000n, fee: 7n, rate: "650", receiverAmount: 6500n };
const quoted: PayoutFacts = { ...direct, quote };
const ofQuote: PayoutInput = { quote_id: "quote" };

const validate = (facts: PayoutFacts, request: PayoutInput) =>
  validatePayout(context, facts, request, ErrorCode.RecipientWalletNotFound);

/** Returns the code and details of the error with which a payout is rejected. */
async function rejectionOf(facts: PayoutFacts, request: PayoutInput = { amount: "10.00" }) {
  const error: unknown = await validate(facts, request).catch((thrown: unknown) => thrown);
  if (!(error instanceof OperationError)) throw new Error("the payout was accepted", { cause: error });
  return [error.errorCode, error.details];
}

const rejectionOfFields = (...rules: [field: string, rule: string][]) => [
  ErrorCode.InvalidFields,
  { fields: Object.fromEntries(rules.map(([field, rule]) => [field, [fieldError(field, rule)]])) },
];

describe("validatePayout", () => {
  it("uses the current fee and rate for a payout without a quote", async () => {
    expect(await validate(direct, { amount: "10.00" })).toEqual({
      amount: 1000n,
      sender: EUR,
      receiver: XAF,
      fee: 35n,
      rate: "655.957",
      receiverAmount: 6559n,
      quoteId: null,
      walletUserId: "recipient",
      recipientAccountId: "recipient XAF",
      terms: { reviewAbove: null },
    });
  });

  it("takes amount, fee, rate and received amount from the quote, even if no rate is in effect any longer", async () => {
    expect(await validate({ ...quoted, rate: null }, ofQuote)).toMatchObject({
      amount: 1000n,
      fee: 7n,
      rate: "650",
      receiverAmount: 6500n,
      quoteId: "quote",
    });
  });

  it("accepts terms sent with a quote if they equal the quote's, regardless of the amount's notation", async () => {
    const same = { amount: "10", sender_currency: "EUR", receiver_currency: "XAF", lookup_token: "token" };
    expect(await validate(quoted, { ...ofQuote, ...same })).toMatchObject({ amount: 1000n });
  });

  it("reports each field that differs from the quote", async () => {
    for (const [field, request] of [
      ["amount", { amount: "10.01" }],
      ["sender_currency", { sender_currency: "XAF" }],
      ["receiver_currency", { receiver_currency: "EUR" }],
    ] as const)
      expect(await rejectionOf(quoted, { ...ofQuote, ...request }), field).toEqual(
        rejectionOfFields([field, FieldRule.AsInQuote.text]),
      );
    const toAnother = { ...quoted, tokenRecipientId: "another" };
    expect(await rejectionOf(toAnother, { ...ofQuote, lookup_token: "token", amount: "9" })).toEqual(
      rejectionOfFields(["amount", FieldRule.AsInQuote.text], ["lookup_token", FieldRule.AsInQuote.text]),
    );
  });

  it("compares amounts by value even if the currency differs from the quote's", async () => {
    const inFrancs = { ...ofQuote, sender_currency: "XAF" };
    expect(await rejectionOf(quoted, { ...inFrancs, amount: "10" })).toEqual(
      rejectionOfFields(["sender_currency", FieldRule.AsInQuote.text]),
    );
    expect(await rejectionOf(quoted, { ...inFrancs, amount: "1000" })).toEqual(
      rejectionOfFields(["amount", FieldRule.AsInQuote.text], ["sender_currency", FieldRule.AsInQuote.text]),
    );
  });

  it("parses an amount in the currency sent with it, not in the quote's", async () => {
    expect(await rejectionOf(quoted, { ...ofQuote, sender_currency: "XAF", amount: "10.50" })).toEqual(
      rejectionOfFields(["amount", "must be a whole number"]),
    );
  });

  it("does not compare an amount in an unknown currency with the quote's amount, but rejects an amount that no currency could represent", async () => {
    const inUnknown = (amount: string) =>
      validatePayout(
        withoutCurrencies,
        quoted,
        { ...ofQuote, sender_currency: "ZZZ", amount },
        ErrorCode.RecipientWalletNotFound,
      );
    const differs = rejectionOfFields(["sender_currency", FieldRule.AsInQuote.text]);
    await expect(inUnknown("9")).rejects.toMatchObject({ errorCode: differs[0], details: differs[1] });
    const impossible = rejectionOfFields(["amount", "must have at most 4 decimals"]);
    await expect(inUnknown("9.00001")).rejects.toMatchObject({
      errorCode: impossible[0],
      details: impossible[1],
    });
  });

  it("does not look up a currency for an amount in the sender currency", async () => {
    const request = { amount: "10.00", sender_currency: "EUR" };
    const withoutLookups = {} as Context;
    expect(
      await validatePayout(withoutLookups, direct, request, ErrorCode.RecipientWalletNotFound),
    ).toMatchObject({ amount: 1000n });
  });

  it("compares the recipient with the quote's only if a lookup token is sent", async () => {
    expect(await validate({ ...quoted, tokenRecipientId: null }, ofQuote)).toMatchObject({
      walletUserId: "recipient",
    });
  });

  it("reports the terms sent with a quote as different if the quote's currencies and recipient are not found", async () => {
    const gone = { ...quoted, sender: null, receiver: null, recipient: null };
    const terms = { amount: "10", sender_currency: "EUR", receiver_currency: "XAF", lookup_token: "token" };
    expect(await rejectionOf(gone, { ...ofQuote, ...terms })).toEqual(
      rejectionOfFields(
        ["sender_currency", FieldRule.AsInQuote.text],
        ["receiver_currency", FieldRule.AsInQuote.text],
        ["lookup_token", FieldRule.AsInQuote.text],
      ),
    );
  });

  it("throws for a direct payout without an amount, which the contract does not allow", async () => {
    await expect(validate(direct, {})).rejects.toThrow(
      new Error("a payout request without a quote passed validation without an amount"),
    );
  });

  it("rejects a payout for the first reason that applies, in a fixed order", async () => {
    const reasons: [Partial<PayoutFacts>, unknown[]][] = [
      [{ referenceTaken: true }, [ErrorCode.DuplicateReference, {}]],
      [{ recipient: null }, [ErrorCode.InvalidLookupToken, {}]],
      [{ recipient: { id: "recipient", active: false } }, [ErrorCode.RecipientInactive, {}]],
      [{ merchantWallet: null }, [ErrorCode.MerchantWalletNotFound, { currency: "EUR" }]],
      [{ rate: null }, [ErrorCode.InvalidReceiverCurrency, {}]],
      [{ recipientWallet: null }, [ErrorCode.RecipientWalletNotFound, { currency: "XAF" }]],
      [{ terms: null }, [ErrorCode.CurrencyNotAuthorized, { currency: "EUR" }]],
    ];
    for (const [at, [, rejection]] of reasons.entries()) {
      const allFromHere = Object.assign(
        {},
        direct,
        ...reasons
          .slice(at)
          .map(([fact]) => fact)
          .reverse(),
      );
      expect(await rejectionOf(allFromHere)).toEqual(rejection);
    }
  });

  it("reports a duplicate reference before an unusable quote, and an unusable quote before an unknown recipient", async () => {
    const withoutQuote = { ...direct, recipient: null };
    expect(await rejectionOf(withoutQuote, ofQuote)).toEqual([ErrorCode.InvalidQuote, {}]);
    expect(await rejectionOf({ ...withoutQuote, referenceTaken: true }, ofQuote)).toEqual([
      ErrorCode.DuplicateReference,
      {},
    ]);
  });

  it("rejects currencies that do not exist or are inactive", async () => {
    const gone = (currency: string) => [ErrorCode.MerchantWalletNotFound, { currency }];
    expect(await rejectionOf({ ...direct, sender: { ...EUR, active: false } })).toEqual(gone("EUR"));
    const unknown = { amount: "10.00", sender_currency: "ZZZ" };
    await expect(
      validatePayout(withoutCurrencies, { ...direct, sender: null }, unknown, ErrorCode.InvalidQuote),
    ).rejects.toMatchObject({ errorCode: ErrorCode.MerchantWalletNotFound, details: { currency: "ZZZ" } });
    for (const receiver of [null, { ...XAF, active: false }])
      expect(await rejectionOf({ ...direct, receiver })).toEqual([ErrorCode.InvalidReceiverCurrency, {}]);
  });

  it("rejects an amount that is too small to credit one minor unit", async () => {
    expect(await rejectionOf({ ...direct, rate: "0.5" }, { amount: "1.99" })).toEqual(
      rejectionOfFields(["amount", FieldRule.WorthAUnit.text]),
    );
    expect(await validate({ ...direct, rate: "0.5" }, { amount: "2.00" })).toMatchObject({
      receiverAmount: 1n,
    });
  });
});

describe("pricePayout", () => {
  const oneToOne = { sender: EUR, receiver: EUR, rate: "1", fee: { fixed: 25n, percent: "2.5" } };

  it("credits the whole amount in the same currency and charges the fee on top, rounded half up", () => {
    expect(pricePayout({ ...oneToOne, amount: 1001n })).toEqual({
      fee: 50n,
      rate: "1",
      receiverAmount: 1001n,
    });
    expect(pricePayout({ ...oneToOne, amount: 1020n })?.fee).toBe(51n);
  });

  it("returns null if the amount is too small or too large after the conversion", () => {
    const toFrancs = { ...oneToOne, receiver: XAF };
    expect(pricePayout({ ...toFrancs, amount: 1n, rate: "99" })).toBeNull();
    expect(pricePayout({ ...toFrancs, amount: 10_000_000_000_000n, rate: "655.957" })).toBeNull();
  });

  it("throws for an invalid rate", () => {
    expect(() => pricePayout({ ...oneToOne, receiver: XAF, amount: 100n, rate: "none" })).toThrow(
      "is not a rate",
    );
  });
});
