import { describe, expect, it } from "vitest";
import { MAX_CHECKS, pageAddress, readPageView } from "../../src/http/addresses";

const plain = { wallet: null, check: null, codeOnly: false, cookiesNeeded: false };

describe("pageAddress and readPageView", () => {
  it.each([
    [plain, "/pay/t"],
    [{ ...plain, wallet: "USD" }, "/pay/t?wallet=USD"],
    [{ ...plain, check: 1 }, "/pay/t?check=1"],
    [{ ...plain, check: MAX_CHECKS }, `/pay/t?check=${MAX_CHECKS}`],
    [{ ...plain, codeOnly: true }, "/pay/t?view=code"],
    [{ ...plain, cookiesNeeded: true }, "/pay/t?cookies=needed"],
  ])("write %o as %s and read it back", (view, address) => {
    expect(pageAddress("t", view)).toBe(address);
    const { searchParams } = new URL(address, "http://pay.test");
    expect(readPageView(Object.fromEntries(searchParams))).toEqual(view);
  });

  it("omit a check number above the maximum from the path", () => {
    expect(pageAddress("t", { check: MAX_CHECKS + 1 })).toBe("/pay/t");
  });

  it.each([
    { wallet: "usd" },
    { wallet: "A" },
    { wallet: "A".repeat(11) },
    { wallet: ["EUR", "USD"] },
    { check: "0" },
    { check: String(MAX_CHECKS + 1) },
    { check: "1e1" },
    { view: "other" },
    { cookies: "1" },
  ])("ignore invalid values: %o", (query) => {
    expect(readPageView(query)).toEqual(plain);
  });
});
