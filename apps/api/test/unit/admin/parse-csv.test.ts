import { describe, expect, it } from "vitest";
import { CsvError, parseCsv } from "../../../src/platform/csv.js";

const fieldsOf = (text: string) => parseCsv(text).map(({ fields }) => fields);

describe("parseCsv", () => {
  it("trims unquoted fields and keeps empty fields", () => {
    expect(fieldsOf("a, b ,\n,,\n")).toEqual([
      ["a", "b", ""],
      ["", "", ""],
    ]);
  });

  it("reads quoted fields with commas, doubled quotes and line breaks", () => {
    expect(fieldsOf('"a,b","say ""so""" ,"two\nlines"')).toEqual([["a,b", 'say "so"', "two\nlines"]]);
  });

  it("accepts a byte order mark, any line ending, no final line ending, and empty lines", () => {
    expect(fieldsOf("\u{FEFF}a,b\r\nc,d\r\r\n\ne,f")).toEqual([
      ["a", "b"],
      ["c", "d"],
      ["e", "f"],
    ]);
    expect(fieldsOf("")).toEqual([]);
  });

  it("reports the line on which a record starts, even after quoted line breaks and empty lines", () => {
    expect(parseCsv('a\n\n"b\nc",d\ne').map(({ line }) => line)).toEqual([1, 3, 5]);
  });

  it("rejects unclosed and misplaced quotes, and reports the line", () => {
    for (const text of ['ok\n"open', 'ok\nmid"dle', 'ok\n"closed" then more'])
      expect(() => parseCsv(text)).toThrow(CsvError);
    const lineOf = (text: string): number => {
      try {
        parseCsv(text);
      } catch (error) {
        if (error instanceof CsvError) return error.line;
      }
      throw new Error("the malformed CSV was accepted");
    };
    expect(lineOf('ok\nmid"dle')).toBe(2);
    expect(lineOf('ok\n\nfine\n"open\nx\ny')).toBe(4);
    expect(lineOf('"open\nx\ny')).toBe(1);
  });
});
