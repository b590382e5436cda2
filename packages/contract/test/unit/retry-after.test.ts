import { describe, expect, it } from "vitest";
import { parseRetryAfter } from "../../src/retry-after.js";

describe("parseRetryAfter", () => {
  const now = Date.parse("2026-11-21T10:00:00Z");
  it.each([
    ["120", 120_000],
    [" 0 ", 0],
    ["Sat, 21 Nov 2026 10:01:30 GMT", 90_000],
    ["Saturday, 21-Nov-26 10:01:30 GMT", 90_000],
    ["Sat, 21 Nov 2026 09:00:00 GMT", 0],
    ["-5", undefined],
    ["1.5", undefined],
    ["1e3", undefined],
    ["99999999999", undefined],
    ["soon", undefined],
    ["2026", 2_026_000],
    ["2026-11-21", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("reads %j as %j ms", (header, milliseconds) => {
    expect(parseRetryAfter(header, now)).toBe(milliseconds);
  });
});
