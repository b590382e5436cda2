import { describe, expect, it } from "vitest";
import { resolveLocale } from "../../src/texts/languages";
import { createLocalization } from "../../src/texts/localization";
import { parseLocalAmount } from "../../src/typed-amount";

const inLanguage = (chosen: string) => resolveLocale({ chosen });

describe("parseLocalAmount", () => {
  it.each([
    ["en", "12.50", "EUR", "12.50"],
    ["en", " 12,50 ", "EUR", "12.50"],
    ["en", "1,234.50", "EUR", "1234.50"],
    ["de", "1.234,50", "EUR", "1234.50"],
    ["fr", "27 498", "XAF", "27498"],
    ["fr", "27\u00a0498,5", "EUR", "27498.5"],
    ["fr", "27\u202f498,50", "EUR", "27498.50"],
    ["es", "1.234,5", "EUR", "1234.5"],
    ["pt", "1 234,5", "EUR", "1234.5"],
    ["ar", "٤١٫٥٠", "EUR", "41.50"],
    ["ar", "١٬٠٠٠٫٥٠", "EUR", "1000.50"],
    ["en", "1.234", "KWD", "1.234"],
    ["en", "1,000", "EUR", null],
    ["de", "1.000", "EUR", null],
    ["fr", "25.000", "XAF", null],
    ["fr", "25,00", "XAF", null],
    ["en", "1,2,3", "EUR", null],
    ["en", "ten", "EUR", null],
    ["en", "", "EUR", null],
  ])("in language %s, reads %j in %s as %j", (language, typed, currency, read) => {
    expect(parseLocalAmount(typed, inLanguage(language), currency)).toBe(read);
  });
});

describe("an ambiguous amount", () => {
  it.each([
    ["en", "1,000", "EUR", "“1,000” could mean €1.00 or €1,000.00. Enter 1.00 or 1000."],
    ["fr", "1,500", "EUR", "« 1,500 » peut signifier 1,50 € ou 1 500,00 €. Saisissez 1,50 ou 1500."],
    ["de", "1.500", "EUR", "„1.500“ kann 1,50 € oder 1.500,00 € bedeuten. Geben Sie 1,50 oder 1500 ein."],
    ["es", "25.000", "XAF", "«25.000» puede significar 25 XAF o 25.000 XAF. Escribe 25 o 25000."],
    [
      "pt",
      "12.345",
      "EUR",
      "«12.345» pode significar 12,345 € ou 12 345,00 €. Para 12 345,00 €, escreva 12345.",
    ],
    ["ar", "1,000", "EUR", "قد يعني «1,000» المبلغ 1.00 € أو 1,000.00 €. اكتب 1.00 أو 1000."],
  ])("is reported in %s with both meanings", (language, typed, currency, sentence) => {
    const output = createLocalization(inLanguage(language)).ambiguity(typed, currency);
    const plain = (text = "") =>
      text.replace(/[\u2068\u2069\u200e\u200f\u061c]/g, "").replace(/[\u00a0\u202f]/g, " ");
    expect(plain(output ?? "")).toBe(sentence);
  });

  it("is not reported for a valid amount or for text that is not an amount", () => {
    const { ambiguity } = createLocalization(inLanguage("en"));
    expect([ambiguity("12.50", "EUR"), ambiguity("ten", "EUR")]).toEqual([null, null]);
  });
});
