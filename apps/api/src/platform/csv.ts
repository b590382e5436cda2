import { type CsvDialect, toLocalTime } from "@tillgate/contract";
import { CsvError as MalformedCsv, parse } from "csv-parse/sync";
import { z } from "zod";

export type Cell = string | Date | null;

/** Spreadsheets detect UTF-8 only by a byte order mark. */
const BYTE_ORDER_MARK = "\ufeff";
const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Returns whether a column contains times. Spreadsheets cannot parse a time with an offset, so the offset gets a separate column. */
const hasTimes = (column: string): boolean => column === "at" || column.endsWith("_at");
/** Matches after any separator, because a file may be opened in another dialect. Some spreadsheets accept full-width characters. */
const FORMULA = /(^|[;,|\t\r\n])([\s\u00a0\ufeff"']?)(?=[=+\-@＝＋－＠])/g;
/** Includes the separators of all dialects, so that a cell is intact in each of them. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
/** Surrounding whitespace would be lost without quotes. */
const HAS_OUTER_BLANKS = /^\s|\s$/;
const DIALECTS = {
  comma: { separator: ",", decimal: "." },
  semicolon: { separator: ";", decimal: "," },
} as const satisfies Record<CsvDialect, { separator: string; decimal: string }>;
/** Columns with amounts and rates. In other columns, a number may be a reference, whose point must stay. */
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

/** Formats a time as two cells. The offset is text that no spreadsheet parses as a formula or a time. */
function formatTimeCells(value: Cell | undefined, timeZone: string): string[] {
  if (!(value instanceof Date)) return ["", ""];
  const { time, offset } = toLocalTime(value, timeZone);
  return [time.replace("T", " "), `UTC${offset}`];
}

function formatCell(column: string, value: Exclude<Cell, Date> | undefined, dialect: CsvDialect): string {
  if (value === null || value === undefined) return "";
  const isDecimal = DECIMALS.includes(column) && NUMBER.test(value);
  if (isDecimal) return value.replace(".", DIALECTS[dialect].decimal);
  const harmless = NUMBER.test(value) ? value : value.replace(FORMULA, "$1$2'");
  return NEEDS_QUOTES.test(harmless) || HAS_OUTER_BLANKS.test(harmless) ? quote(harmless) : harmless;
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * Creates a writer of CSV (RFC 4180), with times in a time zone and protection against formula injection.
 * @returns the file's start, and a function that formats a row as a line.
 */
export function createCsvWriter(columns: readonly string[], dialect: CsvDialect, timeZone: string) {
  const formatLine = (cells: string[]): string => `${cells.join(DIALECTS[dialect].separator)}\r\n`;
  return {
    start:
      BYTE_ORDER_MARK +
      formatLine(columns.flatMap((column) => (hasTimes(column) ? [column, `${column}_offset`] : column))),
    row: (row: Record<string, Cell>): string =>
      formatLine(
        columns.flatMap((column) => {
          const cell = row[column];
          return cell instanceof Date || hasTimes(column)
            ? formatTimeCells(cell, timeZone)
            : formatCell(column, cell, dialect);
        }),
      ),
  };
}

/** `line` is the line that the record starts on, counted from 1. */
export type CsvRecord = { line: number; fields: string[] };

export class CsvError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Parses CSV (RFC 4180). Also accepts a byte order mark, empty lines and any line ending, and trims spaces around a field.
 * @throws CsvError for a quote that is not closed, or that is in the middle of a field.
 */
export function parseCsv(text: string, delimiter: "," | ";" = ","): CsvRecord[] {
  const source = text.replace(/\r\n?/g, "\n");
  try {
    return parseRecords(source, delimiter);
  } catch (error) {
    if (!(error instanceof MalformedCsv)) throw error;
    // An unclosed quote is detected only at the end of the file, so the record after the last complete record is reported.
    const complete =
      error.code === "CSV_QUOTE_NOT_CLOSED"
        ? parseRecords(source, delimiter, Number(error.records)).at(-1)
        : undefined;
    const line = error.code === "CSV_QUOTE_NOT_CLOSED" ? (complete?.end ?? 0) + 1 : Number(error.lines);
    throw new CsvError(line, "has an unclosed quote or a quote in the middle of a field");
  }
}

const parsedSchema = z.array(
  z
    .object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) })
    .transform(({ record: fields, info: { lines: end } }) => ({
      line: end - fields.join("").split("\n").length + 1,
      end,
      fields,
    })),
);

/** @param maxRecords 0 for none, -1 for all. */
const parseRecords = (source: string, delimiter: string, maxRecords = -1) =>
  maxRecords === 0
    ? []
    : parsedSchema.parse(
        parse(source, {
          bom: true,
          delimiter,
          trim: true,
          info: true,
          to: maxRecords,
          record_delimiter: "\n",
          relax_column_count: true,
          skip_empty_lines: true,
        }),
      );
