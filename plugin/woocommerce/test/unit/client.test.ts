import { describe, expect, it } from "vitest";
import { readFindings } from "../../client/findings.js";
import { isOffered, readMethodData } from "../../client/method-data.js";
import { isFinalStatus, nextDelayMs, readStatus, remainingText } from "../../client/payment-status.js";

describe("the payment status page", () => {
  it("stops polling only for a paid, expired, cancelled, refunded or missing payment", () => {
    expect(["pending", "checking", "something new"].filter(isFinalStatus)).toEqual([]);
    expect(["paid", "expired", "cancelled", "refunded", "none"].every(isFinalStatus)).toBe(true);
  });

  it("parses the status in a response and rejects invalid responses", () => {
    expect(readStatus({ status: "paid" })).toBe("paid");
    for (const other of [null, "paid", {}, { status: 7 }]) expect(readStatus(other)).toBeNull();
  });

  it("polls every 3 seconds, every 10 on hidden pages, and after failures at increasing intervals of up to 30 seconds", () => {
    expect(nextDelayMs(0, false)).toBe(3_000);
    expect(nextDelayMs(0, true)).toBe(10_000);
    expect(nextDelayMs(1, false)).toBe(6_000);
    expect(nextDelayMs(100, false)).toBe(30_000);
  });

  it("formats the remaining time, and shows nothing after expiry", () => {
    expect(remainingText(245_000, "Left:")).toBe("Left: 04:05");
    expect(remainingText(1, "Left:")).toBe("Left: 00:01");
    expect(remainingText(600_000, "Left:")).toBe("Left: 10:00");
    expect(remainingText(599_000, "Left:")).toBe("Left: 09:59");
    expect(remainingText(0, "Left:")).toBe("");
    expect(remainingText(Number.NaN, "Left:")).toBe("");
  });
});

describe("the plugin in the browser", () => {
  it("parses payment method data, drops invalid fields, and rejects anything that is not payment method data", () => {
    expect(readMethodData({ title: "Wallet", supports: ["products", 7] })).toEqual({
      title: "Wallet",
      description: "",
      testMode: "",
      icon: "",
      button: "",
      minAmount: null,
      maxAmount: null,
      digits: null,
      countries: [],
      express: null,
      supports: ["products"],
    });
    const express = { address: "https://shop.example/?wc-api=x", label: "Pay now" };
    expect(readMethodData({ title: "Wallet", express })?.express).toEqual(express);
    expect(readMethodData({ title: "Wallet", express: { address: 7, label: "x" } })?.express).toBeNull();
    for (const other of [null, undefined, "Wallet", {}, []]) expect(readMethodData(other)).toBeNull();
  });

  it("offers the method only within the amount and country limits, or while the amount or country is unknown", () => {
    const method = readMethodData({ title: "Wallet", minAmount: 5, maxAmount: 100.5, countries: ["DE"] });
    if (method === null) throw new Error("no method");
    const cart = (total_price: string, country = "DE", currency_minor_unit = 2) =>
      isOffered(method, { cartTotals: { total_price, currency_minor_unit }, billingAddress: { country } });
    expect(["499", "500", "501", "10049", "10050", "10051"].map((total) => cart(total))).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect([cart("7", "DE", 0), cart("700", "FR"), cart("700", ""), cart("0")]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(isOffered(method, {})).toBe(true);
  });

  it("does not offer the method for totals with more decimals than the currency has", () => {
    const method = readMethodData({ title: "Wallet", digits: 2 });
    if (method === null) throw new Error("no method");
    const offered = (total_price: string, currency_minor_unit: number) =>
      isOffered(method, { cartTotals: { total_price, currency_minor_unit } });
    expect([offered("415050", 4), offered("415000", 4), offered("4150", 2), offered("41", 0)]).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it("parses connection test results and rejects other values", () => {
    expect(readFindings({ data: [{ ok: true, text: "fine" }] })).toEqual([{ ok: true, text: "fine" }]);
    for (const other of [null, {}, { data: null }, { data: [{ ok: 1, text: "x" }] }]) {
      expect(readFindings(other)).toBeNull();
    }
  });
});
