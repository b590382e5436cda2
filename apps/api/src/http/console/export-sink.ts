import { once } from "node:events";
import { type CsvDialect, EXPORT_TOTAL_HEADER, localTime } from "@tillgate/contract";
import type { Response } from "express";
import type { ExportSink } from "../../operations/exports/export-list.js";
import { type Cell, csvWriter } from "./csv.js";

export const EXPORT_FORMATS = ["csv", "json"] as const;
type Format = (typeof EXPORT_FORMATS)[number];
const TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
} as const;

/** How the rows of an export become text. */
const WRITERS = {
  csv: (columns: readonly string[], dialect: CsvDialect, timeZone: string) => ({
    ...csvWriter(columns, dialect, timeZone),
    end: "",
  }),
  json: (columns: readonly string[], _dialect: CsvDialect, timeZone: string) => {
    let before = "[\n";
    return {
      start: "",
      row: (row: Record<string, Cell>) => {
        const cells = columns.map((column) => [column, jsonOf(row[column], timeZone)]);
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

/** A time has its offset. */
function jsonOf(cell: Cell | undefined, timeZone: string): string | null | undefined {
  if (!(cell instanceof Date)) return cell;
  const { time, offset } = localTime(cell, timeZone);
  return time + offset;
}

/** Until the reader has taken what was written, or is gone. */
async function roomIn(response: Response): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  waiting.abort();
}

/** Writes the rows as they come, at the pace of who reads them. */
export function exportSink<Row>(
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
  return {
    begin(total) {
      response.type(TYPES[format]);
      response.set(EXPORT_TOTAL_HEADER, String(total));
      response.set("cache-control", "no-store");
      response.attachment(`${name}.${format}`);
      response.write(writer.start);
    },
    async write(rows) {
      const texts: string[] = [];
      for (const row of rows) texts.push(writer.row(await shape(row)));
      if (response.closed) return false;
      if (!response.write(texts.join(""))) await roomIn(response);
      return !response.closed;
    },
    end: () => response.end(writer.end),
  };
}
