import { ErrorCode } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { decidePayment, type PaymentChoice } from "../../../src/checkout/payment-groups.js";
import type { Offer, Wallet } from "../../../src/checkout/read.js";
import { OperationError } from "../../../src/errors.js";

const EUR = { code: "EUR", digits: 2 };
const USD = { code: "USD", digits: 2 };

const euros: Wallet = {
  id: "euros",
  currency: EUR,
  balance: 100n,
  closed: false,
  hidden: false,
  price: { amount: 100n, rate: null },
};
const dollars: Wallet = {
  id: "dollars",
  currency: USD,
  balance: 200n,
  closed: false,
  hidden: false,
  price: { amount: 110n, rate: "0.91" },
};
const offer: Offer = {
  id: "offer",
  accountId: "dollars",
  currency: USD,
  amount: 110n,
  rate: "0.91",
  marginPercent: "1",
  expiresAt: new Date(),
};

function decideWith(choice: PaymentChoice, wallets = [euros, dollars], offered: Offer | null = offer) {
  try {
    return decidePayment({ order: { currency: "EUR" }, wallets, offer: offered }, choice);
  } catch (error) {
    if (error instanceof OperationError) return { errorCode: error.errorCode, ...error.details };
    throw error;
  }
}

describe("decidePayment", () => {
  it("chooses the wallet in the order's currency, specified or not, and accepts a balance equal to the price", () => {
    for (const choice of [{}, { wallet_id: "euros" }])
      expect(decideWith(choice)).toEqual({ by: "wallet", walletId: "euros" });
  });

  it("chooses a specified quote, but only for the quote's wallet", () => {
    for (const choice of [{ quote_id: "offer" }, { quote_id: "offer", wallet_id: "dollars" }])
      expect(decideWith(choice)).toEqual({ by: "quote", quoteId: "offer", walletId: "dollars" });
    expect(decideWith({ quote_id: "offer", wallet_id: "euros" })).toEqual({
      errorCode: ErrorCode.ShopperQuoteUnusable,
    });
    expect(decideWith({ quote_id: "gone" }, [euros, dollars], null)).toEqual({
      errorCode: ErrorCode.ShopperQuoteUnusable,
    });
    expect(decideWith({ quote_id: "offer" }, [euros])).toEqual({
      errorCode: ErrorCode.ShopperQuoteUnusable,
    });
  });

  it("rejects a wallet in another currency without a quote", () => {
    expect(decideWith({ wallet_id: "dollars" })).toEqual({ errorCode: ErrorCode.ShopperQuoteUnusable });
    expect(decideWith({ wallet_id: "dollars" }, [{ ...dollars, price: null }])).toEqual({
      errorCode: ErrorCode.NoRate,
    });
  });

  it("rejects another shopper's wallet and a closed wallet", () => {
    expect(decideWith({ wallet_id: "theirs" })).toEqual({ errorCode: ErrorCode.NoWallet });
    expect(decideWith({}, [dollars])).toEqual({ errorCode: ErrorCode.NoWallet });
    expect(decideWith({}, [{ ...euros, closed: true }])).toEqual({ errorCode: ErrorCode.WalletClosed });
    expect(decideWith({ wallet_id: "dollars" }, [{ ...dollars, closed: true, price: null }])).toEqual({
      errorCode: ErrorCode.WalletClosed,
    });
    expect(decideWith({ quote_id: "offer" }, [{ ...dollars, closed: true }])).toEqual({
      errorCode: ErrorCode.WalletClosed,
    });
  });

  it("rejects a balance one minor unit short, and reports the shortfall", () => {
    expect(decideWith({}, [{ ...euros, balance: 99n }])).toEqual({
      errorCode: ErrorCode.InsufficientBalance,
      missing: "0.01 EUR",
    });
    expect(decideWith({ quote_id: "offer" }, [{ ...dollars, balance: 109n }])).toEqual({
      errorCode: ErrorCode.InsufficientBalance,
      missing: "0.01 USD",
    });
  });
});
