import { once } from "node:events";
import {
  consolePeriodQuerySchema,
  EXPORT_COLUMNS,
  EXPORT_QUERIES,
  EXPORT_TOTAL_HEADER,
  STATEMENT_EXPORT_COLUMNS,
} from "@tillgate/contract";
import type { Response, Router } from "express";
import type { Context } from "../../context.js";
import { EXPORTS, type Exported, type ExportSink, exportList } from "../../operations/exports/export-list.js";
import { exportStatement } from "../../operations/wallets/export-statement.js";
import type { StatementEntry } from "../../operations/wallets/read-statement.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { allowedInModeOn } from "./caller.js";
import { type Cell, csvLine } from "./csv.js";
import { EXPORT_ROWS, statementRow } from "./export-rows.js";

const FORMATS = ["csv", "json"] as const;
type Format = (typeof FORMATS)[number];
const TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
} as const;

/** How the rows of an export become text. */
const WRITERS = {
  csv: (columns: readonly string[]) => ({
    start: csvLine(columns),
    row: (row: Record<string, Cell>) => csvLine(columns.map((column) => row[column] ?? null)),
    end: "",
  }),
  json: (columns: readonly string[]) => {
    let before = "[\n";
    return {
      start: "",
      row: (row: Record<string, Cell>) => {
        const text =
          before + JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column]])));
        before = ",\n";
        return text;
      },
      get end() {
        return before === "[\n" ? "[]\n" : "\n]\n";
      },
    };
  },
} as const;

/** Until the reader has taken what was written, or is gone. */
async function roomIn(response: Response): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  waiting.abort();
}

/** Writes the rows as they come, at the pace of who reads them. */
function sinkOf<Row>(
  response: Response,
  { format, name, columns }: { format: Format; name: string; columns: readonly string[] },
  shape: (row: Row) => Promise<Record<string, Cell>>,
): ExportSink<Row> & { end: () => void } {
  const writer = WRITERS[format](columns);
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

/** Whole filtered lists as files. */
export function serveExports(router: Router, context: Context): void {
  const allowed = allowedInModeOn(context);

  const serveExport = <Row>(
    exported: Exported<Row>,
    shape: (context: Context, row: Row) => Promise<Record<string, Cell>>,
  ): void => {
    const { kind } = exported;
    for (const format of FORMATS)
      serve(router, `/merchants/:merchant/:mode/${kind}s.${format}`, {
        get: [
          allowed("payments.view", async (access, request, response) => {
            const { columns = EXPORT_COLUMNS[kind], ...query } = parse(EXPORT_QUERIES[kind], request.query);
            const sink = sinkOf<Row>(response, { format, name: `${kind}s`, columns }, (row) =>
              shape(context, row),
            );
            await exportList(context, access, exported, query, sink);
            sink.end();
          }),
        ],
      });
  };
  serveExport(EXPORTS.order, EXPORT_ROWS.order);
  serveExport(EXPORTS.refund, EXPORT_ROWS.refund);
  serveExport(EXPORTS.payout, EXPORT_ROWS.payout);

  serve(router, "/merchants/:merchant/:mode/wallets/:currency/statement.csv", {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const currency = pathParameter(request, "currency");
        const query = { ...parse(consolePeriodQuerySchema, request.query), currency };
        const file = { format: "csv" as const, name: "statement", columns: STATEMENT_EXPORT_COLUMNS };
        const sink = sinkOf<StatementEntry>(response, file, (entry) =>
          statementRow(context, currency, entry),
        );
        await exportStatement(context, access, query, sink);
        sink.end();
      }),
    ],
  });
}
