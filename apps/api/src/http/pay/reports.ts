import {
  type Mode,
  type ReportEntry,
  type ReportFeed,
  type ReportWalletItem,
  reportDayQuerySchema,
  reportFeedQuerySchema,
} from "@tillgate/contract";
import { formatDecimal } from "@tillgate/money";
import type { Router } from "express";
import type { Context } from "../../context.js";
import type { StatementEntry } from "../../money/wallets/entries.js";
import { parseMetadata } from "../../pagination/metadata.js";
import {
  getEntryType,
  listReportWallets,
  type ReportWallet,
  readReportDay,
  readReportFeed,
} from "../../reports/wallet-days.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { wireTime } from "../shared/shapes.js";
import { authenticate } from "./authenticate.js";

const toWallet = ({ wallet, currency, digits, balance, firstEntryAt }: ReportWallet): ReportWalletItem => ({
  wallet,
  currency,
  balance: formatDecimal(balance, digits),
  first_entry_at: firstEntryAt && wireTime(firstEntryAt),
});

const toEntry =
  ({ currency, digits }: ReportWallet) =>
  (entry: StatementEntry): ReportEntry => ({
    entry_id: String(entry.entryId),
    type: getEntryType(entry),
    currency,
    gross: formatDecimal(entry.amount + entry.fee, digits),
    fee: formatDecimal(entry.fee, digits),
    net: formatDecimal(entry.amount, digits),
    balance: formatDecimal(entry.balance, digits),
    order_id: entry.orderId ?? entry.refundedOrderId,
    trx_id: entry.trxId,
    refund_id: entry.refundId,
    payout_id: entry.payoutId,
    reference: entry.reference,
    order_number: entry.orderNumber,
    metadata: parseMetadata(entry),
    corrects_entry_id: entry.corrects === null ? null : String(entry.corrects),
    created_at: wireTime(entry.at),
  });

/** Serves `/reports`. */
export function serveReports(router: Router, context: Context, mode: Mode): void {
  serve(router, "/reports/wallets", {
    get: [
      async (request, response) => {
        const client = await authenticate(context, mode, request, response);
        const wallets = await listReportWallets(context, client);
        succeed(response, "Report wallets retrieved", { wallets: wallets.map(toWallet) });
      },
    ],
  });

  // Registered before the path with a date, which would match it.
  serve(router, "/reports/:wallet/feed", {
    get: [
      async (request, response) => {
        const client = await authenticate(context, mode, request, response);
        const query = parse(reportFeedQuerySchema, request.query);
        const name = pathParameter(request, "wallet");
        const { wallet, entries, next, hasMore } = await readReportFeed(context, client, {
          wallet: name,
          ...query,
        });
        const feed: ReportFeed = {
          wallet: wallet.wallet,
          entries: entries.map(toEntry(wallet)),
          next_cursor: next,
          has_more: hasMore,
        };
        succeed(response, "Report entries retrieved", feed);
      },
    ],
  });

  serve(router, "/reports/:wallet/:date", {
    get: [
      async (request, response) => {
        const client = await authenticate(context, mode, request, response);
        const input = { ...request.query, date: pathParameter(request, "date") };
        const { time_zone: timeZone, ...query } = parse(reportDayQuerySchema, input);
        const name = pathParameter(request, "wallet");
        const day = await readReportDay(context, client, { wallet: name, timeZone, ...query });
        const { wallet, totals } = day;
        const decimal = (minor: bigint) => formatDecimal(minor, wallet.digits);
        succeed(response, "Report retrieved", {
          wallet: wallet.wallet,
          currency: wallet.currency,
          date: query.date,
          time_zone: timeZone,
          starts_at: wireTime(day.startsAt),
          ends_at: wireTime(day.endsAt),
          closed: day.closed,
          opening_balance: decimal(totals.opening),
          credits: decimal(totals.credits),
          debits: decimal(totals.debits),
          fees: decimal(totals.fees),
          closing_balance: decimal(totals.closing),
          entry_count: Number(totals.entries),
          entries: day.entries.map(toEntry(wallet)),
          next_cursor: day.next,
        });
      },
    ],
  });
}
