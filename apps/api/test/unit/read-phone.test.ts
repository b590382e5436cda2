import { describe, expect, it } from "vitest";
import { readPhone } from "../../src/platform/phone-numbers.js";

describe("readPhone", () => {
  it.each([
    ["+33 6 12 34 56 78", "+33612345678"],
    ["0033612345678", "+33612345678"],
    ["33612345678", "+33612345678"],
    ["+1 (212) 555-0123", "+12125550123"],
  ])("reads the international number %s for any locale", (typed, phone) => {
    for (const locale of [undefined, null, "fr", "de-DE", "en-US"])
      expect(readPhone(typed, locale)).toBe(phone);
  });

  it.each([
    ["06 12 34 56 78", "fr-FR", "+33612345678"],
    ["0171 2345678", "de_DE", "+491712345678"],
    ["612 34 56 78", "es-ES", "+34612345678"],
    ["(212) 555-0123", "en-US", "+12125550123"],
    ["0612345678", "zh-Hant-FR", "+33612345678"],
  ])("reads the national number %s with the country of the locale %s", (typed, locale, phone) => {
    expect(readPhone(typed, locale)).toBe(phone);
  });

  it.each([
    "06 12 34 56 78",
    "0171 2345678",
    "612 34 56 78",
    "(212) 555-0123",
    "2125550123",
    "07911 123456",
    "12345",
    "nobody",
    "",
  ])("does not read %j without a locale that names a country", (typed) => {
    for (const locale of [undefined, null, "fr", "fr-XX", "xx"]) expect(readPhone(typed, locale)).toBeNull();
  });

  it("does not parse a number of one country as a number of another", () => {
    expect(readPhone("06 12 34 56 78", "en-US")).toBeNull();
    expect(readPhone("(212) 555-0123", "fr-FR")).toBeNull();
  });
});
