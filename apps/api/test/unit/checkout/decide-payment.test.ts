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

function decide(choice: PaymentChoice, wallets = [euros, dollars], offered: Offer | null = offer) {
  try {
    return decidePayment({ order: { currency: "EUR" }, wallets, offer: offered }, choice);
  } catch (error) {
    if (error instanceof OperationError) return { errorCode: error.errorCode, ...error.details };
    throw error;
  }
}

describe("decidePayment", () => {
  it("chooses the wallet in the order's currency, named or not, and accepts the exact amount", () => {
    for (const choice of [{}, { wallet_id: "euros" }])
      expect(decide(choice)).toEqual({ by: "wallet", walletId: "euros" });
  });

  it("chooses a named quote, for its own wallet only", () => {
    for (const choice of [{ quote_id: "offer" }, { quote_id: "offer", wallet_id: "dollars" }])
      expect(decide(choice)).toEqual({ by: "quote", quoteId: "offer", walletId: "dollars" });
    expect(decide({ quote_id: "offer", wallet_id: "euros" })).toEqual({
      errorCode: ErrorCode.ShopperQuoteUnusable,
    });
    expect(decide({ quote_id: "gone" }, [euros, dollars], null)).toEqual({
      errorCode: ErrorCode.ShopperQuoteUnusable,
    });
  });

  it("rejects another currency without a quote", () => {
    expect(decide({ wallet_id: "dollars" })).toEqual({ errorCode: ErrorCode.ShopperQuoteUnusable });
    expect(decide({ wallet_id: "dollars" }, [{ ...dollars, price: null }])).toEqual({
      errorCode: ErrorCode.NoRate,
    });
  });

  it("rejects another shopper's and a closed wallet", () => {
    expect(decide({ wallet_id: "theirs" })).toEqual({ errorCode: ErrorCode.NoWallet });
    expect(decide({}, [dollars])).toEqual({ errorCode: ErrorCode.NoWallet });
    expect(decide({}, [{ ...euros, closed: true }])).toEqual({ errorCode: ErrorCode.WalletClosed });
    expect(decide({ quote_id: "offer" }, [{ ...dollars, closed: true }])).toEqual({
      errorCode: ErrorCode.WalletClosed,
    });
  });

  it("rejects a balance one minor unit short, with the shortfall", () => {
    expect(decide({}, [{ ...euros, balance: 99n }])).toEqual({
      errorCode: ErrorCode.InsufficientBalance,
      missing: "0.01 EUR",
    });
    expect(decide({ quote_id: "offer" }, [{ ...dollars, balance: 109n }])).toEqual({
      errorCode: ErrorCode.InsufficientBalance,
      missing: "0.01 USD",
    });
  });
});
