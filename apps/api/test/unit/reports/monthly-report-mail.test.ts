import { describe, expect, it } from "vitest";
import { type MonthlyReport, writeMonthlyReport } from "../../../src/reports/monthly-report-mail.js";

const wallet = {
  accountId: "a",
  wallet: "EUR",
  currency: "EUR",
  digits: 2,
  balance: 0n,
  firstEntryAt: null,
};
const report: MonthlyReport & { merchant: string } = {
  merchant: "Kiln & Clover",
  mode: "live",
  month: "2025-10",
  timeZone: "Europe/Paris",
  wallets: [
    {
      wallet,
      total: { opening: 10_000n, credits: 2_550n, debits: 500n, fees: 50n, closing: 12_000n, entries: 3n },
    },
    {
      wallet: { ...wallet, wallet: "XAF-held", currency: "XAF", digits: 0 },
      total: { opening: 5n, credits: 0n, debits: 0n, fees: 0n, closing: 5n, entries: 0n },
    },
  ],
  fees: {
    month: "2025-10",
    number: "FEES-2025-10-0123456789AB-EUROPE-PARIS",
    totals: [
      { currency: "EUR", digits: 2, fees: 50n },
      { currency: "XAF", digits: 0, fees: 7n },
    ],
    startsAt: new Date("2025-09-30T22:00Z"),
    endsAt: new Date("2025-10-31T23:00Z"),
    closed: true,
  },
};
const urlOf = (page: string) => `https://console.example/${page}`;
const write = (changes: Partial<typeof report> = {}, url: (page: string) => string | undefined = urlOf) => {
  const { subject, text } = writeMonthlyReport({ ...report, ...changes }, url);
  return { subject, text: text.join("\n\n") };
};

describe("monthly report e-mail", () => {
  it("contains each wallet's totals, the fee statement, and links to the console", () => {
    expect(write()).toMatchInlineSnapshot(`
      {
        "subject": "Tillgate: October 2025 report for Kiln & Clover",
        "text": "Kiln & Clover’s report for October 2025 is final.

      Mode: live
      Time zone: Europe/Paris. In another time zone, the console’s figures can differ.

      EUR
      Opening balance: 100.00 EUR
      Money in: 25.50 EUR
      Money out: 5.00 EUR
      Fees: 0.50 EUR
      Closing balance: 120.00 EUR
      https://console.example/reports/EUR/months/2025-10

      XAF on hold
      Opening balance: 5 XAF
      Money in: 0 XAF
      Money out: 0 XAF
      Fees: 0 XAF
      Closing balance: 5 XAF
      https://console.example/reports/XAF-held/months/2025-10

      Fee statement FEES-2025-10-0123456789AB-EUROPE-PARIS
      2025-10-01 to 2025-10-31
      0.50 EUR
      7 XAF
      https://console.example/reports/fees/2025-10

      You receive this e-mail because you turned on the monthly report.
      Turn it off: https://console.example/settings#monthly-report",
      }
    `);
  });

  it("names the sandbox in its subject", () => {
    expect(write({ mode: "sandbox" }).subject).toBe(
      "Tillgate: October 2025 sandbox report for Kiln & Clover",
    );
  });

  it("omits the fee statement of a month without fees", () => {
    expect(write({ fees: { ...report.fees, totals: [] } }).text).not.toContain("Fee statement");
  });

  it("contains no links if the console's URL is not configured", () => {
    const { text } = write({}, () => undefined);
    expect(text).not.toMatch(/https?:|undefined|Turn it off/);
    expect(text).toContain("Closing balance: 120.00 EUR");
  });
});
