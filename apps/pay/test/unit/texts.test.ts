import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { orderStatusSchema } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { noticeCodeSchema } from "../../src/notice";
import { createFormats, splitAmounts } from "../../src/texts/formats";
import { languageSchema, resolveLocale } from "../../src/texts/languages";
import { CATALOGUES, createLocalization, type Values } from "../../src/texts/localization";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/** Every text of a catalogue, by its path. */
const flat = (texts: object, path = ""): [string, string][] =>
  Object.entries(texts).flatMap(([name, value]) =>
    typeof value === "string"
      ? [[`${path}${name}`, value] as [string, string]]
      : flat(value, `${path}${name}.`),
  );
const placesOf = (text: string) => [...new Set(text.match(/\{\w+(?=[,}])/g) ?? [])].sort();
const english = flat(CATALOGUES.en);
/** Words that a language shares with English, and texts made only of placeholders. */
const SHARED: Partial<Record<string, readonly string[]>> = {
  de: ["Passkeys", "TEST: {title}", "Wallet"],
  fr: ["Conversion", "Date", "E-mail", "Pages", "Transaction"],
  pt: ["E-mail"],
};

describe.each(languageSchema.options)("text catalogue %s", (language) => {
  const words = createLocalization(resolveLocale({ chosen: language }));
  const own = new Map(flat(CATALOGUES[language]));

  it("has the same keys and placeholders as English", () => {
    expect([...own.keys()].sort()).toEqual(english.map(([path]) => path).sort());
    for (const [path, text] of english) {
      expect(own.get(path)?.trim(), path).not.toBe("");
      expect(placesOf(own.get(path) ?? ""), path).toEqual(placesOf(text));
    }
  });

  it("leaves no placeholder unfilled", () => {
    for (const [path, text] of own) {
      const values: Values = Object.fromEntries(placesOf(text).map((place) => [place.slice(1), 2]));
      expect(words.fill(text, values), path).not.toMatch(/[{}]/);
    }
  });

  it("has the same text as English only where the list of identical texts says so", () => {
    const same = english.filter(([path, text]) => own.get(path) === text).map(([, text]) => text);
    const shared = ["{one} = {rate}", ...(SHARED[language] ?? [])];
    if (language !== "en") expect([...new Set(same)].sort()).toEqual(shared.sort());
  });

  it("names the merchant exactly once in the heading of a pending order", () => {
    expect(words.texts.heading.PENDING.split("{merchant}")).toHaveLength(2);
  });
});

describe("French typography", () => {
  it("does not put a name after “que”, which is elided before a vowel", () => {
    for (const [path, text] of flat(CATALOGUES.fr)) expect(text, path).not.toMatch(/que \{name\}/);
  });

  it("does not let punctuation wrap to a new line", () => {
    for (const [path, text] of flat(CATALOGUES.fr)) expect(text, path).not.toMatch(/ [;:?!»]|« /);
  });
});

describe("rate label", () => {
  it.each([
    ["en", "1", "Rate, incl. 1% margin"],
    ["en", "0", "Rate"],
    ["en", null, "Rate, margin included"],
    ["fr", "1.25", "Taux, marge de 1,25 % comprise"],
    ["de", "0.5", "Kurs, inkl. 0,5 % Marge"],
  ])("in %s, shows a margin of %s percent as %s", (chosen, margin, label) => {
    // Languages use different spaces before the sign.
    expect(createLocalization(resolveLocale({ chosen })).rateLabel(margin).replace(/\s/gu, " ")).toBe(label);
  });

  it("does not call a converted payment free of charge, in any language", () => {
    for (const language of languageSchema.options)
      expect(Object.values(CATALOGUES[language].quote).join(" ")).not.toMatch(
        /no fee|sans frais|ohne Gebühr|sin comisión|sem comissão|بلا رسوم/,
      );
  });
});

describe("exchange rate", () => {
  it.each([
    ["0.0015092451", "XAF", "EUR", "1 EUR", "662.58 XAF"],
    ["655.957", "EUR", "XAF", "1 EUR", "655.957 XAF"],
    ["0.0000000012", "XAF", "BHD", "1 BHD", "833333333 XAF"],
    ["1", "EUR", "USD", "1 EUR", "1 USD"],
  ])("is quoted per unit of the stronger currency: %s from %s to %s", (rate, from, to, one, worth) => {
    const words = createFormats("en-GB");
    expect(words.rate(rate, from, to)).toEqual({ one: words.sum(one), rate: words.sum(worth) });
  });
});

describe("texts", () => {
  const { fill, texts, wait } = createLocalization(resolveLocale({}));

  it("are filled once, so that a merchant's name cannot inject placeholders", () => {
    expect(fill(texts.title.PENDING, { amount: "€41.50", merchant: "{amount} & 'Sons'" })).toBe(
      "Pay €41.50 to {amount} & 'Sons'",
    );
  });

  it("cover every notice and every order status", () => {
    for (const code of noticeCodeSchema.options) expect(texts.notice[code]).toMatch(/[.]$/);
    for (const status of orderStatusSchema.options) expect(texts.heading[status]).not.toBe("");
  });

  it("express waiting times in natural units", () => {
    expect(wait(1)).toContain("1 second.");
    expect(wait(90)).toContain("90 seconds");
    expect(wait(91)).toContain("2 minutes");
    expect(wait(5400)).toContain("90 minutes");
    expect(wait(5401)).toContain("2 hours");
  });

  it("are all used by a view", () => {
    const code = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/^texts.(en|fr|de|es|pt|ar)\.ts$/.test(name))
      .map((name) => readFileSync(join(source, name), "utf8"))
      .join("\n");
    const chosen =
      /^((title|heading|notice|ended|rejected|deliveries|account\.(kind|done|notice|fieldErrors))\.|account\.signIn\.(live|sandbox)|account\.receipt\.(completed|pending)|link\.(between|atLeast|atMost|busy|used|expired|closed))/;
    const unused = english
      .map(([path]) => path)
      .filter((path) => !chosen.test(path) && !code.includes(`texts.${path}`));
    expect(unused).toEqual([]);
  });
});

describe("locale", () => {
  it.each([
    [{}, "en", "en-GB"],
    [{ header: "fr-CM,fr;q=0.9,en;q=0.8" }, "fr", "fr-CM"],
    [{ order: "de_AT", header: "fr" }, "de", "de-AT"],
    [{ order: "de", header: "fr,de-CH;q=0.5" }, "de", "de-CH"],
    [{ chosen: "es", order: "de-AT", header: "fr" }, "es", "es-ES"],
    [{ order: "ja", header: "pt-BR" }, "pt", "pt-BR"],
    [{ order: "fr-\u0000", header: "x-klingon, *;q=0.1" }, "fr", "fr-FR"],
    [{ header: "fr;q=0" }, "en", "en-GB"],
  ])("is derived from %j: %s", (wishes, language, tag) => {
    expect(resolveLocale(wishes)).toEqual({ language, tag: `${tag}-u-nu-latn` });
  });
});

describe("amounts", () => {
  const written = (tag: string, amount: string) =>
    createFormats(tag)
      .money(amount)
      .replaceAll(/[\u00a0\u202f]/g, " ");

  it.each([
    ["en-GB", "41.50 EUR", "€41.50"],
    ["en-GB", "27498 XAF", "27,498 FCFA"],
    ["fr-CM", "27498 XAF", "27 498 FCFA"],
    ["de-DE", "1234567.89 EUR", "1.234.567,89 €"],
    ["en-GB", "9007199254740993.17 EUR", "€9,007,199,254,740,993.17"],
    ["en-GB", "1.250 KWD", "1.250 KWD"],
    ["en-GB", "5.5 TOKEN", "5.5 TOKEN"],
    ["en-GB", "0.001524490172 EUR", "€0.001524490172"],
    ["ar", "12.50 EUR", "\u200f12.50 €"],
    ["ar", "12.50 USD", "\u200f12.50 \u200fUS$\u200e"],
    ["ar", "27498 XAF", "\u200f27,498 \u200fFCFA"],
    ["ar", "5.5 TOKEN", "\u200f5.5 \u200fTOKEN"],
    ["ar", "••• EUR", "\u200f••• \u200fEUR"],
  ])("are formatted in %s: %s as %s", (tag, amount, text) => {
    expect(written(tag, amount)).toBe(text);
  });

  it.each([
    ["en-GB", "41.50 EUR", "+€41.50", "\u2212€41.50"],
    ["en-GB", "27498 XAF", "+27,498 FCFA", "\u221227,498 FCFA"],
    ["de-DE", "9007199254740993.17 EUR", "+9.007.199.254.740.993,17 €", "\u22129.007.199.254.740.993,17 €"],
    ["en-GB", "5.5 TOKEN", "+5.5 TOKEN", "\u22125.5 TOKEN"],
    // The left-to-right mark keeps the sign next to its number in right-to-left text.
    ["ar", "12.50 EUR", "\u200f\u200e+12.50 €", "\u200f\u200e\u221212.50 €"],
    ["ar", "27498 XAF", "\u200f\u200e+27,498 \u200fFCFA", "\u200f\u200e\u221227,498 \u200fFCFA"],
  ])("are signed in %s: %s is %s when received and %s when spent", (tag, amount, cameIn, wentOut) => {
    const { signed } = createFormats(tag);
    const written = (direction: "in" | "out") => {
      const [part, ...others] = splitAmounts(signed(amount, direction));
      expect([part?.isAmount, others]).toEqual([true, []]);
      return part?.text.replaceAll(/[\u00a0\u202f]/g, " ");
    };
    expect([written("in"), written("out")]).toEqual([cameIn, wentOut]);
  });

  it("can be separated from the surrounding text", () => {
    const { sum } = createFormats("en-GB");
    expect(splitAmounts(`Pay ${sum("41.50 EUR")} now`)).toEqual([
      { text: "Pay ", isAmount: false },
      { text: "€41.50", isAmount: true },
      { text: " now", isAmount: false },
    ]);
  });
});
