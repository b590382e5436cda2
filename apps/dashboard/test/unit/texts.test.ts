import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  AUDIT_ACTIONS,
  consoleAttentionSchema,
  consoleEntryKindSchema,
  consoleSearchHitSchema,
  consoleSearchResponseSchema,
  ErrorCode,
  EXPIRABLE_KINDS,
  EXPIRY_MOMENTS,
  endpointStateSchema,
  memberRoleSchema,
  orderStatusSchema,
  paymentMethodSchema,
  payoutStatusSchema,
  refundStatusSchema,
  TEST_CONTROLS,
} from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { createFormats } from "../../src/texts/formats";
import { languageSchema, preferredLanguage } from "../../src/texts/languages";
import { CATALOGUES, isTextKey, translator } from "../../src/texts/texts";

const source = fileURLToPath(new URL("../../src", import.meta.url));
const placesOf = (text: string) => [...new Set(text.match(/\{\w+(?=[,}])/g) ?? [])].sort();

/** Errors that no console form can get. */
const OUTSIDE_FORMS = [
  // Requests that the console never sends, and failures with a separate page.
  ...["malformed_request", "malformed_address", "malformed_json", "request_cut_off", "wrong_body_length"],
  ...["request_too_slow", "not_json", "unsupported_charset", "unsupported_encoding", "headers_too_large"],
  ...[
    "unknown_expectation",
    "missing_host",
    "unknown_route",
    "method_not_allowed",
    "https_required",
    "internal_error",
    "unavailable",
    "about_to_end",
  ],
  ...["database_silent", "database_full", "database_busy"],
  // These redirect to sign-in and to the second factor.
  ...["not_signed_in", "second_factor_needed"],
  // Pages without forms.
  "shop_not_found",
  // API clients with a key, and shops that exchange a code.
  ...["invalid_credentials", "wrong_mode", "invalid_secret_id", "secret_id_of_other_mode"],
  ...["invalid_access_token", "read_only_credential", "order_only_credential", "invalid_grant"],
  "reports_only_credential",
  // CLI commands.
  ...["wrong_password", "audit_broken", "confirmations_broken"],
  // Shoppers on the payment page and in their wallet.
  ...["form_rejected", "wrong_sign_in", "locked", "device_locked", "wrong_pin", "pin_needed", "trivial_pin"],
  ...["same_pin", "no_wallet", "no_rate", "shopper_quote_unusable", "not_payable_now", "payment_link_used"],
  ...[
    "payment_link_not_open",
    "identifier_taken",
    "phone_without_country",
    "unknown_shopper",
    "conversion_not_found",
  ],
  ...["conversion_expired", "activity_not_found", "sign_in_not_found", "logo_not_found", "too_many_streams"],
];

describe("text catalogues", () => {
  const english = Object.entries(CATALOGUES.en);

  it.each(languageSchema.options)("have the same keys and placeholders in %s as in English", (language) => {
    const catalogue: Record<string, string> = CATALOGUES[language];
    expect(Object.keys(catalogue).sort()).toEqual(english.map(([key]) => key).sort());
    for (const [key, text] of english) {
      expect(catalogue[key]?.trim(), key).not.toBe("");
      // The detail of an error is in English, and shown to English readers only.
      if (key !== "error.field") expect(placesOf(catalogue[key] ?? ""), key).toEqual(placesOf(text));
    }
  });

  it.each(languageSchema.options)("can all be formatted in %s", (language) => {
    const t = translator(language);
    for (const [key, text] of Object.entries(CATALOGUES[language])) {
      const values = Object.fromEntries(placesOf(text).map((place) => [place.slice(1), 2]));
      if (isTextKey(key)) expect(t(key, values), key).not.toBe("");
    }
  });

  it("cover every value of the listed enums of the API's responses", () => {
    const cases = {
      status: [
        ...orderStatusSchema.options,
        ...refundStatusSchema.options,
        ...payoutStatusSchema.options,
        ...endpointStateSchema.options,
      ],
      method: paymentMethodSchema.options,
      role: memberRoleSchema.options,
      roleText: memberRoleSchema.options,
      act: AUDIT_ACTIONS,
      entry: consoleEntryKindSchema.options,
      attention: consoleAttentionSchema.shape.kind.options,
      kind: consoleSearchHitSchema.shape.kind.options,
      allMatching: consoleSearchResponseSchema.shape.data.shape.more.element.options,
      control: TEST_CONTROLS,
      ending: EXPIRABLE_KINDS,
      moment: EXPIRY_MOMENTS,
    };
    const missing = Object.entries(cases).flatMap(([group, names]) =>
      names.map((name) => `${group}.${name}`).filter((key) => !isTextKey(key)),
    );
    expect(missing).toEqual([]);
  });

  it("cover every error that a console form can get", () => {
    const codes = [...new Set(Object.values(ErrorCode).map(({ code }) => code))];
    const missing = codes.filter((code) => !isTextKey(`apiError.${code}`) && !OUTSIDE_FORMS.includes(code));
    expect(missing).toEqual([]);
    expect(OUTSIDE_FORMS.filter((code) => !codes.includes(code) || isTextKey(`apiError.${code}`))).toEqual(
      [],
    );
  });

  it("contain no unused text", () => {
    const code = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/texts.(en|fr)[./\\]/.test(name))
      .map((name) => readFileSync(join(source, name), "utf8"))
      .join("\n");
    // Keys may be built from a value: `status.${status}`, textOfCase(t, "status", status).
    const groups = [
      ...[...code.matchAll(/`([a-zA-Z][\w.]*\.)\$\{/g)].map(([, group = ""]) => group),
      ...[...code.matchAll(/textOfCase\(\s*t,\s*"([\w.]+)"/g)].map(([, group]) => `${group}.`),
    ];
    const unused = english
      .map(([key]) => key)
      .filter((key) => !code.includes(`"${key}"`) && !groups.some((group) => key.startsWith(group)));
    expect(unused).toEqual([]);
  });
});

describe("French typography", () => {
  it("does not let punctuation wrap to a new line", () => {
    for (const [key, text] of Object.entries(CATALOGUES.fr)) expect(text, key).not.toMatch(/ [;:?!»]|« /);
  });
});

describe("numbers in texts", () => {
  it("are formatted for the language", () => {
    expect(translator("en")("missed.title", { count: 12_345 })).toBe("Missed events (12,345)");
    expect(translator("fr")("missed.title", { count: 12_345 })).toContain("12\u202f345");
    expect(translator("en")("missed.title", { count: "12345" })).toContain("12345");
  });
});

describe("preferredLanguage", () => {
  it.each([
    [undefined, "en"],
    ["fr-CA,fr;q=0.9,en;q=0.8", "fr"],
    ["en;q=0.5,fr;q=0.7", "fr"],
    ["de,ja", "en"],
    ["fr;q=0", "en"],
  ])("maps %s to %s", (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });
});

describe("createFormats", () => {
  it("keeps every digit of an amount", () => {
    const { money } = createFormats("en");
    expect(money({ amount: "9007199254740993.17", currency: "EUR" })).toContain("9,007,199,254,740,993.17");
    expect(money({ amount: "-5000", currency: "XAF" })).toMatch(/-.*5,000$/);
    expect(money({ amount: "1.250", currency: "KWD" })).toContain("1.250");
  });

  it("formats percentages for the language, and keeps every digit", () => {
    expect(createFormats("en").percentage("0.0125")).toBe("0.0125%");
    expect(createFormats("fr").percentage("0.5")).toBe("0,5\u00a0%");
  });

  it("uses the language's names for ISO currencies, and the operator's names for others", () => {
    expect(createFormats("fr").currencyName("CHF", "Swiss franc")).toBe("franc suisse");
    expect(createFormats("fr").currencyName("XQQ", "House credit")).toBe("House credit");
    expect(createFormats("fr").currencyName("POINTS", "Points")).toBe("Points");
  });
});
