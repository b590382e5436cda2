import { describe, expect, it } from "vitest";
import { CsvError, parseCsv } from "../../../src/operations/administration/parse-csv.js";

const fieldsOf = (text: string) => parseCsv(text).map(({ fields }) => fields);

describe("parseCsv", () => {
  it("reads fields, trims plain ones, and keeps empty ones", () => {
    expect(fieldsOf("a, b ,\n,,\n")).toEqual([
      ["a", "b", ""],
      ["", "", ""],
    ]);
  });

  it("reads quoted fields with commas, doubled quotes and line breaks", () => {
    expect(fieldsOf('"a,b","say ""so""" ,"two\nlines"')).toEqual([["a,b", 'say "so"', "two\nlines"]]);
  });

  it("accepts a byte order mark, any line end, no line end, and empty lines", () => {
    expect(fieldsOf("\u{FEFF}a,b\r\nc,d\r\r\n\ne,f")).toEqual([
      ["a", "b"],
      ["c", "d"],
      ["e", "f"],
    ]);
    expect(fieldsOf("")).toEqual([]);
  });

  it("counts the line a record starts on, also behind quoted line breaks and empty lines", () => {
    expect(parseCsv('a\n\n"b\nc",d\ne').map(({ line }) => line)).toEqual([1, 3, 5]);
  });

  it("refuses quotes that are not closed or stand in the middle, with the line", () => {
    for (const text of ['ok\n"open', 'ok\nmid"dle', 'ok\n"closed" then more'])
      expect(() => parseCsv(text)).toThrow(CsvError);
    try {
      parseCsv('ok\nmid"dle');
    } catch (error) {
      expect(error).toMatchObject({ line: 2 });
    }
  });
});
