import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  AUDIT_ACTIONS,
  consoleAttentionSchema,
  consoleEntryKindSchema,
  consoleSearchHitSchema,
  END_MOMENTS,
  ENDING_KINDS,
  memberRoleSchema,
  orderStatusSchema,
  paymentMethodSchema,
  payoutStatusSchema,
  receiverStateSchema,
  refundStatusSchema,
  TEST_CONTROLS,
} from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { formatsOf } from "../../src/texts/formats";
import { languageSchema, preferredLanguage } from "../../src/texts/languages";
import { CATALOGUES, isTextKey, translator } from "../../src/texts/texts";

const source = fileURLToPath(new URL("../../src", import.meta.url));
const placesOf = (text: string) => [...new Set(text.match(/\{\w+(?=[,}])/g) ?? [])].sort();

describe("the catalogues", () => {
  const english = Object.entries(CATALOGUES.en);

  it.each(languageSchema.options)("are whole in %s, with the same open places", (language) => {
    const catalogue: Record<string, string> = CATALOGUES[language];
    expect(Object.keys(catalogue).sort()).toEqual(english.map(([key]) => key).sort());
    for (const [key, text] of english) {
      expect(catalogue[key]?.trim(), key).not.toBe("");
      // The detail of a refusal is English, and shown to English readers only.
      if (key !== "error.field") expect(placesOf(catalogue[key] ?? ""), key).toEqual(placesOf(text));
    }
  });

  it.each(languageSchema.options)("can all be filled in in %s", (language) => {
    const t = translator(language);
    for (const [key, text] of Object.entries(CATALOGUES[language])) {
      const values = Object.fromEntries(placesOf(text).map((place) => [place.slice(1), 2]));
      if (isTextKey(key)) expect(t(key, values), key).not.toBe("");
    }
  });

  it("have a text for every case of the api's answers", () => {
    const cases = {
      status: [
        ...orderStatusSchema.options,
        ...refundStatusSchema.options,
        ...payoutStatusSchema.options,
        ...receiverStateSchema.options,
      ],
      method: paymentMethodSchema.options,
      role: memberRoleSchema.options,
      roleText: memberRoleSchema.options,
      act: AUDIT_ACTIONS,
      entry: consoleEntryKindSchema.options,
      attention: consoleAttentionSchema.shape.kind.options,
      kind: consoleSearchHitSchema.shape.kind.options,
      control: TEST_CONTROLS,
      ending: ENDING_KINDS,
      moment: END_MOMENTS,
    };
    const missing = Object.entries(cases).flatMap(([group, names]) =>
      names.map((name) => `${group}.${name}`).filter((key) => !isTextKey(key)),
    );
    expect(missing).toEqual([]);
  });

  it("hold no text that no page shows", () => {
    const code = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/texts.(en|fr)\.ts$/.test(name))
      .map((name) => readFileSync(join(source, name), "utf8"))
      .join("\n");
    const grouped =
      /^(status|method|role|roleText|entry|account|act|attention|kind|movement|shopStatus|refusal|problem|nav|setup|series|filterName|overlap|mode|list|credentials|members|webhooks|control|controls|ending|moment)\./;
    const unused = english
      .map(([key]) => key)
      .filter((key) => !code.includes(`"${key}"`) && !grouped.test(key));
    expect(unused).toEqual([]);
  });
});

describe("the language", () => {
  it.each([
    [undefined, "en"],
    ["fr-CA,fr;q=0.9,en;q=0.8", "fr"],
    ["en;q=0.5,fr;q=0.7", "fr"],
    ["de,ja", "en"],
    ["fr;q=0", "en"],
  ])("of %s is %s", (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });
});

describe("amounts", () => {
  it("keep every digit", () => {
    const { money } = formatsOf("en");
    expect(money({ amount: "9007199254740993.17", currency: "EUR" })).toContain("9,007,199,254,740,993.17");
    expect(money({ amount: "-5000", currency: "XAF" })).toMatch(/-.*5,000$/);
    expect(money({ amount: "1.250", currency: "KWD" })).toContain("1.250");
  });
});
