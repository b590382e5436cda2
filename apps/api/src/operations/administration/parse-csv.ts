import { CsvError as MalformedCsv, parse } from "csv-parse/sync";
import { z } from "zod";

/** One record of a CSV text: the line it starts on, counted from 1, and its fields. */
export type CsvRecord = { line: number; fields: string[] };

/** Thrown for text that is no CSV. */
export class CsvError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads comma-separated values (RFC 4180): fields may stand in double quotes, a doubled quote inside is one. A byte order
 * mark at the start, empty lines and any kind of line end are accepted; spaces around a field do not count.
 * @throws CsvError for a quote that is not closed or stands in the middle.
 */
export function parseCsv(text: string, delimiter: "," | ";" = ","): CsvRecord[] {
  const source = text.replace(/\r\n?/g, "\n");
  try {
    return recordsOf(source, delimiter);
  } catch (error) {
    if (!(error instanceof MalformedCsv)) throw error;
    // A quote that is not closed is noticed at the end: it is in the record behind the last whole one.
    const whole =
      error.code === "CSV_QUOTE_NOT_CLOSED"
        ? recordsOf(source, delimiter, Number(error.records)).at(-1)
        : undefined;
    const line = error.code === "CSV_QUOTE_NOT_CLOSED" ? (whole?.end ?? 0) + 1 : Number(error.lines);
    throw new CsvError(line, "has a quote that is not closed or stands in the middle");
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

/** @param most how many records are read at the most; 0: none. */
const recordsOf = (source: string, delimiter: string, most = -1) =>
  most === 0
    ? []
    : parsedSchema.parse(
        parse(source, {
          bom: true,
          delimiter,
          trim: true,
          info: true,
          to: most,
          record_delimiter: "\n",
          relax_column_count: true,
          skip_empty_lines: true,
        }),
      );
