import { type CsvDialect, localTime } from "@tillgate/contract";

/** A value of a row that is exported. */
export type Cell = string | Date | null;

/** Spreadsheets read UTF-8 only where a file begins with it. */
const BYTE_ORDER_MARK = "\ufeff";
const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** A column of times. Spreadsheets read no time with an offset, so that has a column of its own behind it. */
const isOfTimes = (column: string): boolean => column === "at" || column.endsWith("_at");
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

/** By the clocks of a time zone, with their offset in words that no spreadsheet takes for a formula or a time. */
function timeCells(value: Cell | undefined, timeZone: string): string[] {
  if (!(value instanceof Date)) return ["", ""];
  const { time, offset } = localTime(value, timeZone);
  return [time.replace("T", " "), `UTC${offset}`];
}

function cellOf(column: string, value: Exclude<Cell, Date> | undefined, dialect: CsvDialect): string {
  if (value === null || value === undefined) return "";
  const isDecimal = DECIMALS.includes(column) && NUMBER.test(value);
  if (isDecimal) return value.replace(".", DIALECTS[dialect].decimal);
  const harmless = NUMBER.test(value) ? value : value.replace(FORMULA, "$1$2'");
  return NEEDS_QUOTES.test(harmless) || HAS_OUTER_BLANKS.test(harmless) ? quote(harmless) : harmless;
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * Writes rows as CSV, with the times of a time zone (RFC 4180) that no spreadsheet runs.
 * @returns the start of the file with its header, and a line for each row.
 */
export function csvWriter(columns: readonly string[], dialect: CsvDialect, timeZone: string) {
  const line = (cells: string[]): string => `${cells.join(DIALECTS[dialect].separator)}\r\n`;
  return {
    start:
      BYTE_ORDER_MARK +
      line(columns.flatMap((column) => (isOfTimes(column) ? [column, `${column}_offset`] : column))),
    row: (row: Record<string, Cell>): string =>
      line(
        columns.flatMap((column) => {
          const cell = row[column];
          return cell instanceof Date || isOfTimes(column)
            ? timeCells(cell, timeZone)
            : cellOf(column, cell, dialect);
        }),
      ),
  };
}
