import { once } from "node:events";
import { type CsvDialect, EXPORT_TOTAL_HEADER, toLocalTime } from "@tillgate/contract";
import type { Response } from "express";
import { type Cell, createCsvWriter } from "../../platform/csv.js";
import type { ExportSink } from "../../reports/export.js";

export const EXPORT_FORMATS = ["csv", "json"] as const;
type Format = (typeof EXPORT_FORMATS)[number];
const TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
} as const;

const WRITERS = {
  csv: (columns: readonly string[], dialect: CsvDialect, timeZone: string) => ({
    ...createCsvWriter(columns, dialect, timeZone),
    end: "",
  }),
  json: (columns: readonly string[], _dialect: CsvDialect, timeZone: string) => {
    let before = "[\n";
    return {
      start: "",
      row: (row: Record<string, Cell>) => {
        const cells = columns.map((column) => [column, toJsonCell(row[column], timeZone)]);
        const text = before + JSON.stringify(Object.fromEntries(cells));
        before = ",\n";
        return text;
      },
      get end() {
        return before === "[\n" ? "[]\n" : "\n]\n";
      },
    };
  },
} as const;

/** Formats a cell for JSON. Times include their UTC offset. */
function toJsonCell(cell: Cell | undefined, timeZone: string): string | null | undefined {
  if (!(cell instanceof Date)) return cell;
  const { time, offset } = toLocalTime(cell, timeZone);
  return time + offset;
}

/** Waits until the response's write buffer has been sent, or the client has disconnected. */
async function waitForDrain(response: Response): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  waiting.abort();
}

/** Creates a sink that writes rows to the response as they arrive, at the client's pace. */
export function createFileSink<Row>(
  response: Response,
  { name, type }: { name: string; type: string },
  texts: { start: () => string; row: (row: Row) => Promise<string>; end: () => string },
): ExportSink<Row> & { end: () => void } {
  return {
    start(total) {
      response.set(EXPORT_TOTAL_HEADER, String(total));
      response.set("cache-control", "no-store");
      // Also sets the content type of the file name's extension, without parameters.
      response.attachment(name);
      response.type(type);
      response.write(texts.start());
    },
    async write(rows) {
      const written: string[] = [];
      for (const row of rows) written.push(await texts.row(row));
      if (response.closed) return false;
      if (!response.write(written.join(""))) await waitForDrain(response);
      return !response.closed;
    },
    end: () => response.end(texts.end()),
  };
}

export function createExportSink<Row>(
  response: Response,
  {
    format,
    name,
    columns,
    dialect,
    timeZone,
  }: { format: Format; name: string; columns: readonly string[]; dialect: CsvDialect; timeZone: string },
  shape: (row: Row) => Promise<Record<string, Cell>>,
): ExportSink<Row> & { end: () => void } {
  const writer = WRITERS[format](columns, dialect, timeZone);
  const file = { name: `${name}.${format}`, type: TYPES[format] };
  return createFileSink<Row>(response, file, {
    start: () => writer.start,
    row: async (row) => writer.row(await shape(row)),
    end: () => writer.end,
  });
}
