import { FieldRule } from "@tillgate/contract";
import { decimalsMessage } from "@tillgate/money";
import { describe, expect, it, vi } from "vitest";

vi.stubEnv("TILLGATE_CONSOLE_KEY", "a key of the console for tests, 32 long".replace(/ /g, "-"));
const { ApiError } = await import("../../src/internal-api");
const { localPath } = await import("../../src/paths");
const { createFormToken, isValidFormToken, seal, unseal } = await import("../../src/http/seal");
const { getCookieNames } = await import("../../src/http/visitor");
const { readConfig } = await import("../../src/config");
const { fieldError } = await import("../../src/server/forms");
const { createFormats } = await import("../../src/texts/formats");
const { translator } = await import("../../src/texts/texts");
const { readAmountField } = await import("../../src/server/amounts");
const { requiredFields, toFormErrors, FormRejected, parseWholeNumber } = await import(
  "../../src/server/forms"
);

describe("localPath", () => {
  it("accepts a path of the console", () => {
    expect(localPath("/m/1/live/orders?status=PAID&q=a%20b")).toBe("/m/1/live/orders?status=PAID&q=a%20b");
  });

  it.each([
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/..//evil.example",
    "javascript:alert(1)",
    "",
    undefined,
  ])("rejects %j", (text) => {
    expect(localPath(text)).toBeNull();
  });
});

describe("form token", () => {
  it("is valid only for one visitor and session", () => {
    const token = createFormToken("visitor", "session");
    expect(isValidFormToken(token, "visitor", "session")).toBe(true);
    expect(isValidFormToken(token, "visitor", "other")).toBe(false);
    expect(isValidFormToken(token, "visitor", null)).toBe(false);
    expect(isValidFormToken(token, "other", "session")).toBe(false);
    expect(isValidFormToken(null, "visitor", "session")).toBe(false);
    expect(isValidFormToken("", "visitor", "session")).toBe(false);
  });
});

describe("seal", () => {
  it("hides the value, which can be unsealed only for the same visitor", () => {
    const sealed = seal({ secret: "open sesame" }, "visitor");
    expect(unseal(sealed, "visitor")).toEqual({ secret: "open sesame" });
    expect(unseal(sealed, "other")).toBeNull();
    const middle = sealed.length >> 1;
    const another = sealed[middle] === "A" ? "B" : "A";
    expect(unseal(sealed.slice(0, middle) + another + sealed.slice(middle + 1), "visitor")).toBeNull();
    expect(unseal("", "visitor")).toBeNull();
    expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("sesame");
  });
});

describe("getCookieNames", () => {
  it("uses the __Host- prefix only over HTTPS", () => {
    expect(getCookieNames(true).session).toBe("__Host-tillgate_console");
    expect(getCookieNames(false).session).toBe("tillgate_console");
  });
});

describe("readConfig", () => {
  const given = { TILLGATE_CONSOLE_KEY: "k".repeat(32) };

  it("rejects plain HTTP for hosts other than localhost, and does not print an invalid key", () => {
    expect(readConfig(given).secure).toBe(false);
    expect(readConfig({ ...given, TILLGATE_CONSOLE_URL: "https://console.example" }).secure).toBe(true);
    expect(() => readConfig({ ...given, TILLGATE_CONSOLE_URL: "http://console.example" })).toThrow(
      /TILLGATE_CONSOLE_URL: must begin with https/,
    );
    expect(() => readConfig({ TILLGATE_CONSOLE_KEY: "short" })).toThrow(/^(?!.*short)/);
  });
});

describe("form fields", () => {
  it("are all reported together if they are missing", () => {
    const form = new URLSearchParams({ email: " ", password: "x" });
    const rejection = (() => {
      try {
        return requiredFields(form, "email", "password", "role");
      } catch (error) {
        return error;
      }
    })();
    expect(rejection).toBeInstanceOf(FormRejected);
    expect(rejection).toMatchObject({ errors: [{ field: "email" }, { field: "role" }] });
  });

  it("show each API error next to the field it concerns", () => {
    const wrong = new ApiError(422, "invalid_fields", { amount: ["The amount field must be more"] }, null);
    expect(toFormErrors(wrong, new URLSearchParams())).toEqual([
      { field: "amount", text: "error.field", values: { detail: "must be more" } },
    ]);
    const long = new ApiError(
      400,
      "invalid_fields",
      { name: ["The name field must not be longer than 60 characters"] },
      null,
    );
    expect(toFormErrors(long, new URLSearchParams())).toEqual([
      { field: "name", text: "rule.tooLong", values: { value: "60" } },
    ]);
    const whole = new ApiError(
      400,
      "invalid_fields",
      { count: ["The count field must be a whole number from 1 to 100"] },
      null,
    );
    expect(toFormErrors(whole, new URLSearchParams())).toEqual([
      { field: "count", text: "rule.wholeNumber", values: { least: "1", most: "100" } },
    ]);
    const code = new ApiError(401, "wrong_code", {}, null);
    expect(toFormErrors(code, new URLSearchParams())[0]).toMatchObject({ field: "second_factor" });
    expect(toFormErrors(code, new URLSearchParams({ code: "1" }))[0]).toMatchObject({ field: "code" });
    const unknown = new ApiError(409, "something_new", {}, null);
    expect(toFormErrors(unknown, new URLSearchParams())[0]).toMatchObject({
      field: null,
      text: "apiError.other",
    });
  });

  it("are parsed if they are unsigned whole numbers, and otherwise passed to the API unchanged", () => {
    expect(["3", "", "1.5", "-1", "two"].map(parseWholeNumber)).toEqual([3, "", "1.5", "-1", "two"]);
  });

  it.each([
    ["en", "EUR", "1,000.50", "1000.50"],
    ["fr", "EUR", "1\u202f000,50", "1000.50"],
    ["en", "EUR", " 12,50 ", "12.50"],
    ["fr", "XAF", "25 000", "25000"],
    ["fr", null, "655,9570", "655.9570"],
    ["en", "EUR", "", ""],
  ] as const)("parse an amount in language %s, currency %s: %s", (language, currency, typed, read) => {
    expect(readAmountField(new URLSearchParams({ amount: typed }), "amount", { language, currency })).toBe(
      read,
    );
  });

  it.each([
    ["en", "EUR", "1,000", "“1,000” could mean EUR 1.00 or EUR 1,000.00. Enter 1.00 or 1000."],
    ["fr", "EUR", "1,000", "« 1,000 » peut signifier 1,00 EUR ou 1 000,00 EUR. Saisissez 1,00 ou 1000."],
    ["en", "EUR", "1.234", "“1.234” could mean EUR 1.234 or EUR 1,234.00. Enter 1234."],
    ["en", "XAF", "25,000", "“25,000” could mean XAF 25 or XAF 25,000. Enter 25 or 25000."],
    ["en", null, "655.957", "“655.957” could mean 655.957 or 655,957. Enter 655.9570 or 655957."],
    ["en", "XAF", "25.00", "Enter an amount without decimals."],
    ["fr", "EUR", "1,0050", "2 décimales au maximum."],
    ["en", "EUR", "ten", "Enter an amount such as 1,234.50."],
    ["fr", "EUR", "1,234.50", "Saisissez un montant tel que 1 234,50."],
  ] as const)("reject an amount in language %s, currency %s: %s", (language, currency, typed, sentence) => {
    const form = new URLSearchParams({ amount: typed });
    try {
      readAmountField(form, "amount", { language, currency });
    } catch (error) {
      if (!(error instanceof FormRejected)) throw error;
      const [first] = error.errors;
      expect(first?.field).toBe("amount");
      const text = first && translator(language)(first.text, first.values);
      expect(text?.replace(/[\u00a0\u202f]/g, " ")).toBe(sentence);
      return;
    }
    throw new Error("The amount was accepted.");
  });
});

describe("contract field rules", () => {
  it("have a text key if a form can violate them", () => {
    // Sent by API clients only: headers, quotes, list cursors, event names, time zones and months of reports, and comparisons.
    const ofPrograms = [
      "KeyAsInHeader",
      "OneKeyHeader",
      "RequiredWithoutQuote",
      "AsInQuote",
      "EventNames",
      "EarlierNext",
      "EarlierCursor",
      "RequiredWithoutEndpoint",
      "NotWithEndpoint",
      "NotWithPage",
      "TimeZone",
      "RealMonth",
      "Unknown",
      "NotRepeated",
      "FewRefunds",
      "NoLess",
      "NotOlderRun",
      "NotAfterTomorrow",
    ];
    for (const [name, { text }] of Object.entries(FieldRule)) {
      if (ofPrograms.includes(name)) continue;
      expect([name, fieldError("x", `The x field ${text}`).text]).toEqual([
        name,
        name === "Required" ? "error.required" : `rule.${name}`,
      ]);
    }
  });
});

it("a field error with a number gets a text key and the number", () => {
  expect(fieldError("amount", `The amount field ${decimalsMessage(3)}`)).toEqual({
    field: "amount",
    text: "rule.decimals",
    values: { value: "3" },
  });
});

describe("createFormats", () => {
  it("formats times in the reader's time zone with the abbreviation in force on that date, and dates without time zone conversion", () => {
    expect(createFormats("en").minute("2026-07-01T12:00:00Z")).toBe("1 Jul 2026, 12:00 UTC");
    expect(createFormats("en", "Europe/Paris").minute("2026-07-01T12:00:00Z")).toBe("1 Jul 2026, 14:00 CEST");
    expect(createFormats("en", "Europe/Paris").minute("2026-01-01T12:00:00Z")).toBe("1 Jan 2026, 13:00 CET");
    expect(createFormats("en", "Europe/Paris").day("2026-07-01T23:00:00Z")).toBe("1 Jul");
  });
});
