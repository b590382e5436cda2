import { describe, expect, it } from "vitest";
import * as parameter from "../../src/rest/parameters.js";
import { RestError } from "../../src/rest/rest-request.js";

const shape = {
  flag: parameter.boolean.optional(),
  number: parameter.integer(1, 5).optional(),
  word: parameter.oneOf(["one", "two", "three"]).optional(),
  text: parameter.text.optional(),
  ids: parameter.ids.optional(),
  moment: parameter.moment.optional(),
  amount: parameter.amount.optional(),
};

const sentenceOf = (given: Record<string, unknown>): string => {
  try {
    parameter.parseParameters(shape, given);
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return JSON.stringify(error.body);
  }
  throw new Error("The parameters were accepted.");
};

describe("parseParameters", () => {
  it("accepts formats that WordPress accepts", () => {
    expect(
      parameter.parseParameters(shape, {
        flag: "true",
        number: "3",
        word: "two",
        ids: "4,5",
        moment: "2026-11-21T10:00:00",
        amount: 1.005,
      }),
    ).toEqual({
      flag: true,
      number: 3,
      word: "two",
      ids: [4n, 5n],
      moment: new Date("2026-11-21T10:00:00Z"),
      amount: 101n,
    });
  });

  it("treats null as missing", () => {
    expect(parameter.parseParameters(shape, { flag: null, text: null })).toEqual({});
  });

  it("parses times with their time zone", () => {
    expect(parameter.parseParameters(shape, { moment: "2026-11-21T10:00:00+02:00" }).moment).toEqual(
      new Date("2026-11-21T08:00:00Z"),
    );
  });

  const wrong: [Record<string, unknown>, string][] = [
    [{ flag: "maybe" }, "flag is not of type boolean."],
    [{ number: 9 }, "number must be between 1 (inclusive) and 5 (inclusive)"],
    [{ number: 1.5 }, "number is not of type integer."],
    [{ word: "four" }, "word is not one of one, two, and three."],
    [{ text: 5 }, "text is not of type string."],
    [{ ids: "a" }, "ids[0] is not of type integer."],
    [{ moment: "2026-02-30" }, "Invalid date."],
    [{ amount: "12,5" }, "amount is not an amount."],
  ];
  for (const [given, sentence] of wrong) {
    it(`reports the invalid parameter in ${JSON.stringify(given)}`, () => {
      expect(sentenceOf(given)).toContain(sentence);
    });
  }

  it("strips NUL characters, which PostgreSQL cannot store", () => {
    expect(parameter.parseParameters(shape, { text: "a\u0000b" })).toEqual({ text: "ab" });
  });
});
