import {
  type FeeStatement,
  feeStatementResponseSchema,
  type ReportDay,
  type ReportEntry,
  type ReportFeed,
  type ReportWalletItem,
  reportDayResponseSchema,
  reportFeedResponseSchema,
  reportWalletsResponseSchema,
} from "@tillgate/contract";
import type { CallOptions } from "./call-options.js";
import { walk } from "./paging.js";
import { requestFile, send, type Transport } from "./send.js";

/** `GET /reports/{wallet}/feed`. */
export type ListReportFeed = {
  /** The `next_cursor` of the previous call. Omit it to start with the first entry. */
  cursor?: string;
  per_page?: number;
};

/** `GET /reports/{wallet}/{date}`. */
export type GetReportDay = ListReportFeed & {
  /** IANA time zone of the day; default: UTC. */
  time_zone?: string;
};

/** `GET /reports/{wallet}/statement.csv` and `…/statement.xml`: days are inclusive, and an omitted day means no limit. */
export type DownloadStatement = {
  from_date?: string;
  to_date?: string;
  /** IANA time zone of the days; default: UTC. */
  time_zone?: string;
};

export type DownloadStatementCsv = DownloadStatement & {
  /** `comma` (default), or `semicolon` with a decimal comma. */
  dialect?: "comma" | "semicolon";
};

export type Reports = {
  /** Lists the wallets of this mode, including closed ones and the `-held` wallets, whose money is held for pending payouts and refunds. */
  wallets(options?: CallOptions): Promise<ReportWalletItem[]>;
  /** Returns the totals of a day (`YYYY-MM-DD`), and a page of its entries, oldest first. */
  day(wallet: string, date: string, query?: GetReportDay, options?: CallOptions): Promise<ReportDay>;
  /** Iterates over all entries of a day, oldest first: `for await (const entry of reports.dayEntries("EUR", "2026-11-21"))`. */
  dayEntries(
    wallet: string,
    date: string,
    query?: GetReportDay,
    options?: CallOptions,
  ): AsyncIterable<ReportEntry>;
  /** Returns the entries after a cursor, oldest first. */
  feed(wallet: string, query?: ListReportFeed, options?: CallOptions): Promise<ReportFeed>;
  /** Iterates over the entries after a cursor, page by page. Store each page's `next` with its entries, and continue from it later. */
  feedPages(
    wallet: string,
    query?: ListReportFeed,
    options?: CallOptions,
  ): AsyncIterable<{ entries: ReportEntry[]; next: string }>;
  /** Returns the fees charged in a month (`YYYY-MM`), by currency. */
  fees(month: string, query?: { time_zone?: string }, options?: CallOptions): Promise<FeeStatement>;
  /** Downloads a statement as CSV, as a stream of bytes. Read the stream to its end, or cancel it. */
  statementCsv(
    wallet: string,
    query?: DownloadStatementCsv,
    options?: CallOptions,
  ): Promise<ReadableStream<Uint8Array>>;
  /** Downloads a statement as ISO 20022 camt.053, as a stream of bytes. Read the stream to its end, or cancel it. */
  statementXml(
    wallet: string,
    query?: DownloadStatement,
    options?: CallOptions,
  ): Promise<ReadableStream<Uint8Array>>;
};

export function reportsResource(transport: Transport): Reports {
  const pathOf = (...parts: string[]) => `/reports/${parts.map(encodeURIComponent).join("/")}`;
  const day: Reports["day"] = async (wallet, date, query = {}, options = {}) => {
    const schema = reportDayResponseSchema;
    const path = pathOf(wallet, date);
    return send(transport, { method: "GET", path, query: { ...query }, schema, ...options });
  };
  const feed: Reports["feed"] = async (wallet, query = {}, options = {}) => {
    const schema = reportFeedResponseSchema;
    const path = pathOf(wallet, "feed");
    return send(transport, { method: "GET", path, query: { ...query }, schema, ...options });
  };
  const download = (path: string, accept: string, query: DownloadStatementCsv, { signal }: CallOptions) =>
    requestFile(transport, { path, query: { ...query }, headers: { accept }, signal });
  return {
    day,
    feed,
    statementCsv: (wallet, query = {}, options = {}) =>
      download(pathOf(wallet, "statement.csv"), "text/csv", query, options),
    statementXml: (wallet, query = {}, options = {}) =>
      download(pathOf(wallet, "statement.xml"), "application/xml", query, options),
    async wallets(options = {}) {
      const schema = reportWalletsResponseSchema;
      return (await send(transport, { method: "GET", path: pathOf("wallets"), schema, ...options })).wallets;
    },
    async fees(month, query = {}, options = {}) {
      const schema = feeStatementResponseSchema;
      const path = pathOf("fees");
      return send(transport, { method: "GET", path, query: { month, ...query }, schema, ...options });
    },
    dayEntries: (wallet, date, query = {}, options = {}) =>
      walk(query, async (page) => {
        const { entries, next_cursor } = await day(wallet, date, page, options);
        return { items: entries, next: next_cursor };
      }),
    async *feedPages(wallet, query = {}, options = {}) {
      let { cursor } = query;
      for (;;) {
        const page = await feed(wallet, { ...query, ...(cursor === undefined ? {} : { cursor }) }, options);
        cursor = page.next_cursor;
        yield { entries: page.entries, next: cursor };
        if (!page.has_more) return;
      }
    },
  };
}
