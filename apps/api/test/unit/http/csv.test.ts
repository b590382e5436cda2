import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { type Cell, createCsvWriter } from "../../../src/platform/csv.js";

const DIALECTS = ["comma", "semicolon"] as const;
const lineOf = (value: Cell, dialect: (typeof DIALECTS)[number] = "comma", column = "reference") =>
  createCsvWriter([column], dialect, "Europe/Paris").row({ [column]: value });

describe("CSV file", () => {
  it.each(DIALECTS)("starts with a byte order mark and ends lines as RFC 4180 requires: %s", (dialect) => {
    const { start, row } = createCsvWriter(["id", "amount"], dialect, "UTC");
    const separator = dialect === "comma" ? "," : ";";
    expect(start).toBe(`\ufeffid${separator}amount\r\n`);
    expect(row({ id: "POS-1", amount: "1234.50" })).toBe(
      dialect === "comma" ? "POS-1,1234.50\r\n" : "POS-1;1234,50\r\n",
    );
  });

  it("uses the dialect's decimal separator in amount columns only", () => {
    expect(lineOf("-12.50", "semicolon", "amount")).toBe("-12,50\r\n");
    expect(lineOf("12.50", "semicolon")).toBe("12.50\r\n");
  });

  it("writes local times in a format that spreadsheets recognize, with the UTC offset in a separate column", () => {
    expect(createCsvWriter(["id", "paid_at", "at"], "comma", "UTC").start).toBe(
      "\ufeffid,paid_at,paid_at_offset,at,at_offset\r\n",
    );
    const summer = new Date("2026-05-01T10:00:00Z");
    expect(lineOf(summer, "comma", "created_at")).toBe("2026-05-01 12:00:00,UTC+02:00\r\n");
    expect(lineOf(null, "semicolon", "created_at")).toBe(";\r\n");
    expect(lineOf("2026-05-01T10:00:00+00:00")).toBe("2026-05-01T10:00:00+00:00\r\n");
  });

  it.each([
    ["=1+1", "'=1+1"],
    ["+33612345678", "'+33612345678"],
    ["-cmd", "'-cmd"],
    ["@SUM(A1)", "'@SUM(A1)"],
    [" =1+1", " '=1+1"],
    ["\u00a0=1+1", "\u00a0'=1+1"],
    ["\n=1+1", "\n'=1+1"],
    ["\r=1+1", "\r'=1+1"],
    ["\t=1+1", "\t'=1+1"],
    ["a\n=1+1", "a\n'=1+1"],
    ["＝1+1", "'＝1+1"],
    ["＋1", "'＋1"],
    ["－1", "'－1"],
    ["＠A1", "'＠A1"],
    ["a;=1+1", "a;'=1+1"],
    ["a,=1+1", "a,'=1+1"],
    ["a\t=1+1", "a\t'=1+1"],
    ["a|=1+1", "a|'=1+1"],
    ["a; @A1", "a; '@A1"],
  ])("escapes %j in every dialect so that no spreadsheet runs it as a formula", (text, harmless) => {
    for (const dialect of DIALECTS) {
      const line = lineOf(text, dialect);
      const delimiter = dialect === "comma" ? "," : ";";
      expect(parse(line, { delimiter, record_delimiter: "\r\n", relax_column_count: true })).toEqual([
        [harmless],
      ]);
      // The text is also a single cell when read in the other dialect.
      const other = dialect === "comma" ? ";" : ",";
      expect(parse(line, { delimiter: other, record_delimiter: "\r\n" })).toEqual([[harmless]]);
    }
  });

  it.each(["Wages May - June", "a=b", "a@b.example", "-5", "12.50", "x+y"])("writes %j unchanged", (text) => {
    expect(lineOf(text)).toBe(`${text}\r\n`);
  });

  it("quotes fields that contain a separator of the other dialect, a quotation mark or a line break", () => {
    expect(lineOf('say "hi"; twice')).toBe('"say ""hi""; twice"\r\n');
    expect(lineOf("a\nb")).toBe('"a\nb"\r\n');
    expect(lineOf(null)).toBe("\r\n");
  });
});
