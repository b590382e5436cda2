import { describe, expect, it } from "vitest";
import { CommandError, parseTime, parseWholeNumber } from "../../events/command.mjs";

describe("a whole-number option", () => {
  it("accepts the minimum and the maximum", () => {
    expect([parseWholeNumber("--count", "1", 1, 100), parseWholeNumber("--count", "100", 1, 100)]).toEqual([
      1, 100,
    ]);
  });

  it.each(["abc", "0", "101", "1.5", "", " 1", "-1", "1e1"])("rejects %j and reports the limits", (text) => {
    expect(() => parseWholeNumber("--count", text, 1, 100)).toThrow(
      new CommandError(`--count must be a whole number from 1 to 100, not ${JSON.stringify(text)}.`),
    );
  });
});

describe("a time option", () => {
  it.each([undefined, "2026-11-20T00:00:00Z", "2026-11-20T00:00:00+01:00"])("accepts %j", (text) => {
    expect(parseTime("--from", text)).toBe(text);
  });

  it.each(["yesterday", "2026-02-30T00:00:00Z", "2026-11-20", ""])(
    "rejects %j and shows an example",
    (text) => {
      expect(() => parseTime("--from", text)).toThrow(
        new CommandError(`--from must be a time such as 2026-11-20T00:00:00Z, not ${JSON.stringify(text)}.`),
      );
    },
  );
});
