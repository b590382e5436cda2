import type { ReportEntry } from "@tillgate/contract";
import { afterEach, beforeEach, expect, it } from "vitest";
import { errorReply, json, type LocalApi, sandboxClient, startLocalApi } from "./local-api.js";

let api: LocalApi;
beforeEach(async () => {
  api = await startLocalApi();
});
afterEach(() => api.close());

const response = (data: object) => json(200, { message: { success: ["Retrieved"] }, data });
const urls = () => api.seen.map(({ url }) => url.replace("/pay/sandbox/api/v1/reports", ""));
const entryOf = (entry_id: string): ReportEntry => ({
  entry_id,
  ...{ type: "payment", currency: "EUR", gross: "1.00", fee: "0.00", net: "1.00", balance: "1.00" },
  ...{ order_id: null, trx_id: null, refund_id: null, payout_id: null, reference: null, order_number: null },
  ...{ metadata: null, corrects_entry_id: null, created_at: "2026-11-21T10:02:41+00:00" },
});
const dayOf = (entry_id: string, next_cursor: string | null) => ({
  ...{ wallet: "EUR", currency: "EUR", date: "2026-11-21", time_zone: "UTC", closed: true },
  ...{ starts_at: "2026-11-21T00:00:00+00:00", ends_at: "2026-11-22T00:00:00+00:00" },
  ...{ opening_balance: "0.00", credits: "2.00", debits: "0.00", fees: "0.00", closing_balance: "2.00" },
  ...{ entry_count: 2, entries: [entryOf(entry_id)], next_cursor },
});

it("reports.dayEntries iterates over every page of a day", async () => {
  api.replies.push(response(dayOf("1", "1.100.x")), response(dayOf("2", null)));
  const ids: string[] = [];
  const query = { time_zone: "Europe/Paris", per_page: 1 };
  for await (const { entry_id } of sandboxClient(api).reports.dayEntries("EUR-held", "2026-11-21", query))
    ids.push(entry_id);
  expect(ids).toEqual(["1", "2"]);
  expect(urls()).toEqual([
    "/EUR-held/2026-11-21?time_zone=Europe%2FParis&per_page=1",
    "/EUR-held/2026-11-21?time_zone=Europe%2FParis&per_page=1&cursor=1.100.x",
  ]);
});

it("reports.statementCsv and statementXml return a file as it arrives, however long that takes", async () => {
  const { reports } = sandboxClient(api, 200);
  let finish = () => {};
  api.replies.push(errorReply(503, "unavailable"), (reply) => {
    reply.writeHead(200, { "content-type": "text/csv" }).write("entry_id\r\n");
    finish = () => reply.end("1\r\n");
  });
  const file = await reports.statementCsv("EUR-held", { from_date: "2026-11-01", dialect: "semicolon" });
  const reader = file.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe("entry_id\r\n");
  // Longer than the timeout, which ends when the response starts.
  await new Promise((resolve) => setTimeout(resolve, 300));
  finish();
  expect((await reader.read()).value).toBe("1\r\n");
  expect((await reader.read()).done).toBe(true);
  expect(api.seen.at(-1)?.headers.accept).toBe("text/csv");

  api.replies.splice(0, 2, errorReply(404, "Wallet not found"));
  await expect(reports.statementXml("GBP")).rejects.toMatchObject({ status: 404 });
  expect(urls()).toEqual([
    "/EUR-held/statement.csv?from_date=2026-11-01&dialect=semicolon",
    "/EUR-held/statement.csv?from_date=2026-11-01&dialect=semicolon",
    "/GBP/statement.xml",
  ]);
});

it("reports.fees returns the fees for a month in a time zone", async () => {
  const statement = {
    ...{ number: "FEES-2026-11-4A5DE1C26D0E-EUROPE-PARIS", month: "2026-11", time_zone: "Europe/Paris" },
    ...{ starts_at: "2026-10-31T23:00:00+00:00", ends_at: "2026-11-30T23:00:00+00:00", closed: true },
    totals: [{ currency: "EUR", fees: "12.50" }],
  };
  api.replies.push(response(statement));
  const query = { time_zone: "Europe/Paris" };
  expect(await sandboxClient(api).reports.fees("2026-11", query)).toEqual(statement);
  expect(urls()).toEqual(["/fees?month=2026-11&time_zone=Europe%2FParis"]);
});

it("reports.feedPages yields each page with the cursor to continue from, up to the newest entry", async () => {
  const feedOf = (id: string, has_more: boolean) =>
    response({ wallet: "EUR", entries: [entryOf(id)], next_cursor: `${id}.x`, has_more });
  api.replies.push(feedOf("7", true), feedOf("8", false));
  const cursors: string[] = [];
  for await (const { entries, next } of sandboxClient(api).reports.feedPages("EUR", { cursor: "6.x" }))
    cursors.push(`${entries[0]?.entry_id} ${next}`);
  expect(cursors).toEqual(["7 7.x", "8 8.x"]);
  expect(urls()).toEqual(["/EUR/feed?cursor=6.x", "/EUR/feed?cursor=7.x"]);
});
