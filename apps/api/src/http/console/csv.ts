/** A value of a row that is exported. */
export type Cell = string | null;

/** A spreadsheet takes a text that begins so for a formula. Numbers of ours are not texts. */
const FORMULA_STARTS = ["=", "+", "-", "@", "\t", "\r"];
const NUMBER = /^-?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

/** One cell of CSV (RFC 4180). A text that a spreadsheet would run is written as text. */
export function csvCell(value: Cell): string {
  if (value === null) return "";
  const isFormula = FORMULA_STARTS.some((start) => value.startsWith(start)) && !NUMBER.test(value);
  const harmless = isFormula ? `'${value}` : value;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(",")}\r\n`;
