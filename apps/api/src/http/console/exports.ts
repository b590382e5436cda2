import {
  EXPORT_COLUMNS,
  EXPORT_QUERIES,
  STATEMENT_EXPORT_COLUMNS,
  statementExportQuerySchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { EXPORTS, type Exported, exportList } from "../../operations/exports/export-list.js";
import { exportStatement } from "../../operations/wallets/export-statement.js";
import type { StatementEntry } from "../../operations/wallets/read-statement.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { allowedInModeOn } from "./caller.js";
import type { Cell } from "./csv.js";
import { EXPORT_ROWS, statementRow } from "./export-rows.js";
import { EXPORT_FORMATS, exportSink } from "./export-sink.js";

/** Whole filtered lists as files. */
export function serveExports(router: Router, context: Context): void {
  const allowed = allowedInModeOn(context);

  const serveExport = <Row>(
    exported: Exported<Row>,
    shape: (context: Context, row: Row) => Promise<Record<string, Cell>>,
  ): void => {
    const { kind } = exported;
    for (const format of EXPORT_FORMATS)
      serve(router, `/merchants/:merchant/:mode/${kind}s.${format}`, {
        get: [
          allowed("payments.view", async (access, request, response) => {
            const asked = parse(EXPORT_QUERIES[kind], request.query);
            const { columns = EXPORT_COLUMNS[kind], dialect, ...query } = asked;
            const { timeZone } = access;
            const file = { format, name: `${kind}s`, columns, dialect, timeZone };
            const sink = exportSink<Row>(response, file, (row) => shape(context, row));
            await exportList(context, access, exported, { ...query, timeZone }, sink);
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
        const { dialect, ...period } = parse(statementExportQuerySchema, request.query);
        const { timeZone } = access;
        const query = { ...period, currency, timeZone };
        const columns = STATEMENT_EXPORT_COLUMNS;
        const file = { format: "csv" as const, name: "statement", columns, dialect, timeZone };
        const sink = exportSink<StatementEntry>(response, file, (entry) =>
          statementRow(context, currency, entry),
        );
        await exportStatement(context, access, query, sink);
        sink.end();
      }),
    ],
  });
}
