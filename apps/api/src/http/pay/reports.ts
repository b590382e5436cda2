import {
  feeStatementQuerySchema,
  type Mode,
  type ReportFeed,
  reportDayQuerySchema,
  reportFeedQuerySchema,
  statementCsvQuerySchema,
  statementFileQuerySchema,
} from "@tillgate/contract";
import type { Request, Router } from "express";
import type { z } from "zod";
import type { Context } from "../../context.js";
import { readFeeStatement } from "../../reports/fees.js";
import type { StatementQuery } from "../../reports/statement-file.js";
import { listReportWallets, readReportDay, readReportFeed } from "../../reports/wallet-days.js";
import { parse, pathParameter } from "../shared/parse.js";
import { toFeeStatement, toReportDay, toReportEntry, toReportWallet } from "../shared/reports.js";
import { serve, succeed } from "../shared/routes.js";
import { sendStatementCsv, sendStatementXml } from "../shared/statements.js";
import { withClient } from "./authenticate.js";

export function serveReports(router: Router, context: Context, mode: Mode): void {
  const authenticated = withClient(context, mode);

  serve(router, "/reports/wallets", {
    get: authenticated(async (client, _request, response) => {
      const wallets = await listReportWallets(context, client);
      succeed(response, "Report wallets retrieved", { wallets: wallets.map(toReportWallet) });
    }),
  });

  serve(router, "/reports/fees", {
    get: authenticated(async (client, request, response) => {
      const { month, time_zone: timeZone } = parse(feeStatementQuerySchema, request.query);
      const statement = await readFeeStatement(context, client, { month, timeZone });
      succeed(response, "Fee statement retrieved", toFeeStatement(statement, timeZone));
    }),
  });

  // The next three paths are registered before the path with a date, because that path would match them too.
  serve(router, "/reports/:wallet/feed", {
    get: authenticated(async (client, request, response) => {
      const query = parse(reportFeedQuerySchema, request.query);
      const name = pathParameter(request, "wallet");
      const { wallet, entries, next, hasMore } = await readReportFeed(context, client, {
        wallet: name,
        ...query,
      });
      const feed: ReportFeed = {
        wallet: wallet.wallet,
        entries: entries.map(toReportEntry(wallet)),
        next_cursor: next,
        has_more: hasMore,
      };
      succeed(response, "Report entries retrieved", feed);
    }),
  });

  const toStatementQuery = (
    request: Request,
    { from_date, to_date, time_zone }: z.output<typeof statementFileQuerySchema>,
  ): StatementQuery => ({
    ...{ wallet: pathParameter(request, "wallet"), from: from_date, to: to_date, timeZone: time_zone },
  });

  serve(router, "/reports/:wallet/statement.csv", {
    get: authenticated(async (client, request, response) => {
      const { dialect, ...period } = parse(statementCsvQuerySchema, request.query);
      await sendStatementCsv(context, client, { ...toStatementQuery(request, period), dialect }, response);
    }),
  });

  serve(router, "/reports/:wallet/statement.xml", {
    get: authenticated(async (client, request, response) => {
      const query = toStatementQuery(request, parse(statementFileQuerySchema, request.query));
      await sendStatementXml(context, client, query, response);
    }),
  });

  serve(router, "/reports/:wallet/:date", {
    get: authenticated(async (client, request, response) => {
      const input = { ...request.query, date: pathParameter(request, "date") };
      const { time_zone: timeZone, ...query } = parse(reportDayQuerySchema, input);
      const name = pathParameter(request, "wallet");
      const day = await readReportDay(context, client, { wallet: name, timeZone, ...query });
      succeed(response, "Report retrieved", toReportDay(day, query.date, timeZone));
    }),
  });
}
