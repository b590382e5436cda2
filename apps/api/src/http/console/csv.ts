import type { CsvDialect } from "@tillgate/contract";

/** A value of a row that is exported. */
export type Cell = string | null;

/** Spreadsheets read UTF-8 only where a file begins with it. */
const BYTE_ORDER_MARK = "\ufeff";
const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** A time of the wire; in a file it is written as spreadsheets read it, in UTC. */
const WIRE_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})\+00:00$/;
/**
 * What a spreadsheet takes for a formula: at the beginning of a cell, and behind any separator, because a file may be opened in
 * another dialect than it was written in. Also in full-width characters, which some spreadsheets read as their usual ones.
 */
const FORMULA = /(^|[;,|\t\r\n])([\s\u00a0\ufeff"']?)(?=[=+\-@＝＋－＠])/g;
/** The separators of every dialect, so that a cell is one in all of them. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
/** A text with blanks around it would lose them. */
const HAS_OUTER_BLANKS = /^\s|\s$/;
const DIALECTS = {
  comma: { separator: ",", decimal: "." },
  semicolon: { separator: ";", decimal: "," },
} as const satisfies Record<CsvDialect, { separator: string; decimal: string }>;
/** The columns that hold amounts and rates; a reference may look like one. */
const DECIMALS = [
  "amount",
  "refunded_amount",
  "received_amount",
  "fee",
  "total",
  "balance",
  "rate",
  "received",
];

function cellOf(column: string, value: Cell, dialect: CsvDialect): string {
  if (value === null) return "";
  const isDecimal = DECIMALS.includes(column) && NUMBER.test(value);
  if (isDecimal) return value.replace(".", DIALECTS[dialect].decimal);
  const [, day, time] = WIRE_TIME.exec(value) ?? [];
  if (day !== undefined) return `${day} ${time}`;
  const harmless = NUMBER.test(value) ? value : value.replace(FORMULA, "$1$2'");
  return NEEDS_QUOTES.test(harmless) || HAS_OUTER_BLANKS.test(harmless) ? quote(harmless) : harmless;
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * Writes rows as CSV (RFC 4180) that no spreadsheet runs.
 * @returns the start of the file with its header, and a line for each row.
 */
export function csvWriter(columns: readonly string[], dialect: CsvDialect) {
  const line = (cells: string[]): string => `${cells.join(DIALECTS[dialect].separator)}\r\n`;
  return {
    start: BYTE_ORDER_MARK + line([...columns]),
    row: (row: Record<string, Cell>): string =>
      line(columns.map((column) => cellOf(column, row[column] ?? null, dialect))),
  };
}
