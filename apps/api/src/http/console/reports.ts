import {
  consoleReportDayQuerySchema,
  consoleReportMonthQuerySchema,
  consoleReportMonthsQuerySchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { listFeeMonths, readFeeStatement } from "../../reports/fees.js";
import {
  listReportMonths,
  listReportWallets,
  type ReportPeriod,
  type ReportWallet,
  readReportDay,
  readReportMonth,
} from "../../reports/wallet-days.js";
import { parse, pathParameter } from "../shared/parse.js";
import {
  toFeeStatement,
  toMonthFees,
  toReportDay,
  toReportTotals,
  toReportWallet,
} from "../shared/reports.js";
import { serve, succeed } from "../shared/routes.js";
import { withRightInMode } from "./caller.js";

const BASE = "/merchants/:merchant/:mode/reports";

const toPeriod =
  (wallet: ReportWallet) =>
  ({ period, totals }: ReportPeriod) => ({ period, ...toReportTotals(wallet, totals) });

export function serveReports(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  serve(router, BASE, {
    get: allowed("reports.view", async (access, _request, response) => {
      const wallets = await listReportWallets(context, access);
      succeed(response, "Report wallets retrieved", { wallets: wallets.map(toReportWallet) });
    }),
  });

  serve(router, `${BASE}/fees`, {
    get: allowed("reports.view", async (access, request, response) => {
      const query = { ...parse(consoleReportMonthsQuerySchema, request.query), timeZone: access.timeZone };
      const { months, next } = await listFeeMonths(context, access, query);
      succeed(response, "Months retrieved", { months: months.map(toMonthFees), next });
    }),
  });

  serve(router, `${BASE}/fees/:month`, {
    get: allowed("reports.view", async (access, request, response) => {
      const { month } = parse(consoleReportMonthQuerySchema, { month: pathParameter(request, "month") });
      const { timeZone } = access;
      const statement = await readFeeStatement(context, access, { month, timeZone });
      succeed(response, "Fee statement retrieved", toFeeStatement(statement, timeZone));
    }),
  });

  serve(router, `${BASE}/:wallet/months`, {
    get: allowed("reports.view", async (access, request, response) => {
      const query = { ...parse(consoleReportMonthsQuerySchema, request.query), timeZone: access.timeZone };
      const name = pathParameter(request, "wallet");
      const { wallet, months, next } = await listReportMonths(context, access, { ...query, wallet: name });
      const { currency } = wallet;
      succeed(response, "Months retrieved", { currency, months: months.map(toPeriod(wallet)), next });
    }),
  });

  serve(router, `${BASE}/:wallet/months/:month`, {
    get: allowed("reports.view", async (access, request, response) => {
      const { month } = parse(consoleReportMonthQuerySchema, { month: pathParameter(request, "month") });
      const query = { month, timeZone: access.timeZone, wallet: pathParameter(request, "wallet") };
      const { wallet, total, days } = await readReportMonth(context, access, query);
      succeed(response, "Month retrieved", {
        currency: wallet.currency,
        total: toReportTotals(wallet, total),
        days: days.map(toPeriod(wallet)),
      });
    }),
  });

  serve(router, `${BASE}/:wallet/days/:date`, {
    get: allowed("reports.view", async (access, request, response) => {
      const input = { ...request.query, date: pathParameter(request, "date") };
      const query = parse(consoleReportDayQuerySchema, input);
      const { timeZone } = access;
      const wallet = pathParameter(request, "wallet");
      const day = await readReportDay(context, access, { ...query, wallet, timeZone });
      succeed(response, "Report retrieved", toReportDay(day, query.date, timeZone));
    }),
  });
}
