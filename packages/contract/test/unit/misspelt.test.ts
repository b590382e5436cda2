import { describe, expect, it } from "vitest";
import { editDistance, findMisspeltFields } from "../../src/read-request.js";

const KNOWN = ["amount", "callback_url", "idempotency_key", "page"];

describe("editDistance", () => {
  it.each([
    ["amount", "amount", 0],
    ["amout", "amount", 1],
    ["ammount", "amount", 1],
    ["amonut", "amount", 1],
    ["anount", "amount", 1],
    ["aount", "amonut", 2],
    ["amnt", "amount", 2],
    ["", "ab", 2],
    ["", "abc", 3],
    ["abcdef", "uvwxyz", 3],
  ])("from %j to %j is %i", (from, to, letters) => {
    expect(editDistance(from, to, 2)).toBe(letters);
    expect(editDistance(to, from, 2)).toBe(letters);
  });
});

describe("an unknown field", () => {
  const named = (input: unknown) => Object.keys(findMisspeltFields(KNOWN, input));

  it("is rejected at an edit distance of two from a missing field, and ignored at three", () => {
    expect(named({ amoun: 1, amo: 1 })).toEqual(["amoun"]);
    expect(named({ amou: 1 })).toEqual(["amou"]);
    expect(named({ idempotncy_ky: 1 })).toEqual(["idempotncy_ky"]);
    expect(named({ idmpotncy_ky: 1 })).toEqual([]);
  });

  it("is rejected at distance one, and ignored at two, from a missing field of up to four letters", () => {
    expect(named({ pge: 1 })).toEqual(["pge"]);
    expect(named({ name: 1, date: 1 })).toEqual([]);
  });

  it("is rejected if it differs from a missing field only in case or separators", () => {
    for (const given of ["callbackUrl", "CallbackURL", "callback-url", "callback url", "CALLBACK_URL"])
      expect(named({ [given]: 1 })).toEqual([given]);
  });

  it("is ignored when the similar field is set, but not when the similar field is null or empty", () => {
    expect(named({ amount: 5, amout: 1 })).toEqual([]);
    expect(named({ amount: null, amout: 1 })).toEqual(["amout"]);
    expect(named({ amount: "", amout: 1 })).toEqual(["amout"]);
  });

  it("is ignored when it is very long, inherited, or not in an object", () => {
    expect(named({ [`amount${"-".repeat(100)}`]: 1 })).toEqual([]);
    expect(named(JSON.parse('{"__proto__":{"amout":1},"constructor":1,"":1}'))).toEqual([]);
    for (const input of [null, undefined, "amout", 5, ["amout"]]) expect(named(input)).toEqual([]);
  });

  it("is checked within 250 ms of CPU time, even among 10,000 unknown fields", () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`amunt${at % 97}x${at}`, 1]));
    const start = process.cpuUsage();
    findMisspeltFields(KNOWN, many);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(250);
  });
});
