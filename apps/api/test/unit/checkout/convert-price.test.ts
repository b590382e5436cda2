import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertPrice } from "../../../src/money/price.js";

const EUR = { code: "EUR", digits: 2 };
const USD = { code: "USD", digits: 2 };
const XAF = { code: "XAF", digits: 0 };
const KWD = { code: "KWD", digits: 3 };

describe("an order's price in the currency of a wallet", () => {
  it("is the order's amount if the wallet has the order's currency, regardless of rates", () => {
    expect(convertPrice({ amount: 4150n, currency: EUR }, EUR, null)).toEqual({ amount: 4150n, rate: null });
  });

  it("is the amount divided by the rate net of the spread, rounded up", () => {
    // 0.92234 less 1 % is 0.9131166; 41.50 ÷ 0.9131166 = 45.4487…
    expect(convertPrice({ amount: 4150n, currency: EUR }, USD, { rate: "0.92234", spread: "1" })).toEqual({
      amount: 4545n,
      rate: "0.9131166",
    });
    expect(convertPrice({ amount: 1n, currency: EUR }, XAF, { rate: "0.00152449", spread: "1" })).toEqual({
      amount: 7n,
      rate: "0.0015092451",
    });
    expect(convertPrice({ amount: 100n, currency: EUR }, KWD, { rate: "2", spread: "0" })).toEqual({
      amount: 500n,
      rate: "2",
    });
  });

  it("is null without a rate, beyond 10^13 minor units, and at a rate beyond the stored precision", () => {
    expect(convertPrice({ amount: 4150n, currency: EUR }, USD, null)).toBeNull();
    const most = { amount: 10n ** 13n, currency: EUR };
    expect(convertPrice(most, USD, { rate: "1", spread: "0" })?.amount).toBe(10n ** 13n);
    expect(convertPrice(most, USD, { rate: "0.9999999999", spread: "0" })).toBeNull();
    expect(
      convertPrice({ amount: 1n, currency: EUR }, XAF, { rate: "0.0000000000012345678", spread: "0.123456" }),
    ).toBeNull();
  });

  it("covers the order, whereas one minor unit less would not", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        fc.constantFrom(EUR, XAF, KWD),
        fc.constantFrom({ ...USD }, { code: "JPY", digits: 0 }),
        fc.integer({ min: 1, max: 10 ** 9 }),
        fc.integer({ min: 0, max: 6 }),
        (amount, currency, wallet, coefficient, scale) => {
          const rate = (coefficient / 10 ** scale).toFixed(scale);
          const price = convertPrice({ amount, currency }, wallet, { rate, spread: "0" });
          if (!price?.rate) return;
          const [whole = "", fraction = ""] = price.rate.split(".");
          const exact = BigInt(whole + fraction) * 10n ** BigInt(currency.digits);
          const minimum = amount * 10n ** BigInt(wallet.digits + fraction.length);
          expect(price.amount * exact).toBeGreaterThanOrEqual(minimum);
          expect((price.amount - 1n) * exact).toBeLessThan(minimum);
        },
      ),
    );
  });
});
