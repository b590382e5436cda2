import {
  consoleReportMonthResponseSchema,
  feeStatementResponseSchema,
  type Mode,
  type ReportDay,
  type ReportEntry,
  toLocalDay,
} from "@tillgate/contract";
import { callOne, ledger, proveLedger } from "@tillgate/database";
import { beforeAll, describe, expect, it } from "vitest";
import { depositFunds, reverseFunds } from "../../support/funds.js";
import { addCredential, addMerchantWallet } from "../../support/parties.js";
import { addPartner } from "../../support/partner.js";
import { readData, readReportDay, readReportFeed, readStatementFile } from "../../support/reports.js";
import { errorOf, payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { createConsoleParties, dataOf, merchantConsole } from "../console/console-client.js";

const { sandbox, server, api, merchantId } = await createTestApi();
const { pool, prisma } = sandbox.database;

const walletId = async (currency: string): Promise<string> =>
  (
    await prisma.account.findFirstOrThrow({
      where: { merchantId, mode: "sandbox", currency, kind: "merchant" },
    })
  ).id;

async function deposit(currency: string, minor: bigint): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT move_between_wallets(made.id, mode, 'deposit', currency, account_of(mode, currency, 'funding'), a.id, $2, 'deposit ' || made.id), made.id
     FROM accounts a, gen_random_uuid() AS made (id) WHERE a.id = $1`,
    [await walletId(currency), minor],
  );
  return rows[0]?.id ?? "";
}

/** Transfer ID of a deposit on a closed day. */
let earlier: string;
beforeAll(async () => {
  earlier = await deposit("EUR", 700n);
  await sandbox.plantRows(
    "SET session_replication_role = replica; UPDATE transfers SET created_at = created_at - interval '200 days'",
  );
});

describe("GET /reports/{wallet}/statement.csv and statement.xml", () => {
  it.each(["statement.csv", "statement.xml"])(
    "%s reports a total of 0 entries for days without entries",
    async (file) => {
      const { headers } = await readStatementFile(api, "EUR", file, {
        from_date: "2999-01-01",
        to_date: "2999-01-31",
      });
      expect(headers.get("x-tillgate-total")).toBe("0");
    },
  );

  it("return 404 for a wallet of another merchant or mode", async () => {
    const other = await addPartner(sandbox, { wallets: { KWD: 5_000n } });
    const credential = await addCredential(sandbox, other.merchantId, "live");
    for (const file of ["statement.csv", "statement.xml"]) {
      expect(errorOf(await api.get(`/reports/KWD/${file}`)).status).toBe(404);
      expect(errorOf(await payApi(server, credential, "live").get(`/reports/KWD/${file}`)).status).toBe(404);
    }
  });
});

describe("GET /reports/{wallet}/{date}", () => {
  it("pages through a day's entries, with the same balances as on a single page", async () => {
    const today = toLocalDay(new Date(), "UTC");
    for (let of = 0; of < 3; of += 1) await deposit("XAF", 5n);
    const whole = await readReportDay(api, "XAF", today);
    const paged: ReportEntry[] = [];
    let cursor: string | null = null;
    do {
      const page: ReportDay = await readReportDay(api, "XAF", today, {
        per_page: "2",
        ...(cursor === null ? {} : { cursor }),
      });
      paged.push(...page.entries);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(paged).toEqual(whole.entries);
    expect(paged).toHaveLength(3);
    expect(whole.closed).toBe(false);
  });

  it("does not change a closed day when one of its deposits is corrected later", async () => {
    const { createdAt } = await prisma.transfer.findUniqueOrThrow({ where: { id: earlier } });
    const readItsDay = () => readReportDay(api, "EUR", toLocalDay(createdAt, "UTC"), { per_page: "100" });
    const day = await readItsDay();
    await reverseFunds(pool, earlier);
    expect(await readItsDay()).toEqual(day);
    const { entries } = await readReportDay(api, "EUR", toLocalDay(new Date(), "UTC"), { per_page: "100" });
    expect(entries.at(-1)).toMatchObject({ type: "correction", corrects_entry_id: expect.any(String) });
  });

  it("does not close a day while a transaction may still book an entry in it", async () => {
    const wallet = await walletId("USD");
    const isClosed = async () => {
      const { rows } = await pool.query<{ closed: boolean }>(
        "SELECT period_is_closed($1, clock_timestamp() - interval '2 minutes') AS closed",
        [wallet],
      );
      return rows[0]?.closed;
    };
    expect(await isClosed()).toBe(true);
    const booking = await pool.connect();
    try {
      await booking.query("BEGIN");
      await booking.query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [wallet]);
      expect(await isClosed()).toBe(false);
    } finally {
      await booking.query("ROLLBACK");
      booking.release();
    }
    expect(await isClosed()).toBe(true);
  });

  it.each([
    ["a day that does not exist", "EUR/2026-02-30", {}, 400],
    ["an unknown time zone", "EUR/2026-02-01", { time_zone: "Europe/Atlantis" }, 400],
    ["a cursor of another day", "EUR/2026-02-01", { cursor: "1.1.AAAAAAAAAAAAAAAAAAAAAA" }, 400],
    ["a wallet that does not exist", "GBP/2026-02-01", {}, 404],
  ])("rejects %s", async (_, path, query, status) => {
    expect(errorOf(await api.get(`/reports/${path}`, query)).status).toBe(status);
  });

  it.each(["0001-01-01", "9999-12-31"])("accepts the first and the last supported day: %s", async (date) => {
    expect((await readReportDay(api, "EUR", date, { time_zone: "Pacific/Kiritimati" })).entry_count).toBe(0);
  });

  it("does not show wallets of another merchant or mode", async () => {
    const other = await addPartner(sandbox, { wallets: { KWD: 5_000n } });
    const theirs = async (mode: Mode) =>
      payApi(server, await addCredential(sandbox, other.merchantId, mode), mode);
    const [sandboxApi, liveApi] = [await theirs("sandbox"), await theirs("live")];
    await addMerchantWallet(sandbox, other.merchantId, "live", "EUR");
    const { next_cursor } = await readReportFeed(sandboxApi, "KWD");
    expect(errorOf(await api.get("/reports/KWD/feed")).status).toBe(404);
    expect(errorOf(await sandboxApi.get("/reports/EUR/2026-01-01")).status).toBe(404);
    expect(errorOf(await liveApi.get("/reports/KWD/2026-01-01")).status).toBe(404);
    expect(errorOf(await api.get("/reports/EUR/feed", { cursor: next_cursor })).status).toBe(400);
  });
});

describe("totals of a wallet with thousands of entries", () => {
  it("are the sums of its entries, before and after checkpoints store them at every thousandth entry", async () => {
    const { merchantId: id, wallets } = await addPartner(sandbox, { wallets: { KWD: 0n } });
    const theirs = payApi(server, await addCredential(sandbox, id, "sandbox"));
    await sandbox.executeAsSuperuser(`SET session_replication_role = replica;
      CREATE TEMP TABLE planted AS SELECT number, gen_random_uuid() AS id FROM generate_series(1, 2500) AS number;
      INSERT INTO transfers (id, mode, kind, created_at)
        SELECT id, 'sandbox', (CASE WHEN number % 10 = 0 THEN 'payout' ELSE 'payment' END)::transfer_kind,
          '2026-01-31T00:00:00Z'::timestamptz + number * interval '1 minute' FROM planted ORDER BY planted.number;
      INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
        SELECT id, '${wallets.KWD}', 'sandbox', 'KWD', CASE WHEN number % 10 = 0 THEN -70 ELSE number END FROM planted ORDER BY planted.number;
      INSERT INTO payouts (id, mode, merchant_id, reference, wallet_user_id, recipient_account_id, amount, sender_currency, fee, rate,
          receiver_amount, receiver_currency, status, transfer_id, trx_id, processed_at)
        SELECT 'planted ' || number, 'sandbox', '${id}', 'planted ' || number, id, id, 60, 'KWD', 10, 1, 60, 'KWD', 'completed', id, 'planted ' || number, now()
        FROM planted WHERE number % 10 = 0`);
    const day = (date: string) => readReportDay(theirs, "KWD", date, { per_page: "1" });
    for (const reading of ["before", "after"]) {
      if (reading === "after") expect(await callOne(pool, ledger.writeCheckpoints, { limit: 10 })).toBe(1);
      // 1 February has the entries 1440 to 2500: entry n is dated n minutes after midnight on 31 January, and a
      // payment's amount is n thousandths.
      const numbers = Array.from({ length: 2_500 - 1_439 }, (_, at) => 1_440 + at);
      const paid = numbers.filter((number) => number % 10 > 0).reduce((sum, number) => sum + number, 0);
      const payouts = numbers.filter((number) => number % 10 === 0).length;
      expect([reading, await day("2026-02-01")]).toMatchObject([
        reading,
        {
          credits: (paid / 1_000).toFixed(3),
          debits: ((payouts * 60) / 1_000).toFixed(3),
          fees: ((payouts * 10) / 1_000).toFixed(3),
          entry_count: numbers.length,
        },
      ]);
    }
    const { closing_balance } = await day("2026-01-31");
    expect((await day("2026-02-01")).opening_balance).toBe(closing_balance);
    expect(await prisma.entryCheckpoint.count()).toBe(2);
    const { rules } = await proveLedger(sandbox.url);
    expect(rules.find(({ rule }) => rule.startsWith("Totals of reports"))?.violations).toEqual([]);
  });
});

describe("GET /reports/{wallet}/feed", () => {
  it("returns entries once and in order when a transaction commits after others that began later", async () => {
    const { next_cursor: start } = await readReportFeed(api, "XAF").then(async (page) => {
      let last = page;
      while (last.has_more) last = await readReportFeed(api, "XAF", last.next_cursor);
      return last;
    });
    const wallet = await walletId("XAF");
    const booking = await pool.connect();
    const late =
      "SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'deposit', 'XAF', account_of('sandbox', 'XAF', 'funding'), $1, $2, $3)";
    await booking.query("BEGIN");
    await booking.query(late, [wallet, 1, "late"]);
    const waiting = depositFunds(pool, "sandbox", wallet, 2n);
    await deposit("USD", 3n);
    const none = await readReportFeed(api, "XAF", start);
    expect(none.entries).toEqual([]);
    await booking.query("COMMIT");
    booking.release();
    await waiting;
    const { entries } = await readReportFeed(api, "XAF", none.next_cursor);
    expect(entries.map(({ net }) => net)).toEqual(["1", "2"]);
  });
});

describe("the console's reports", () => {
  let owner: ReturnType<typeof merchantConsole>;
  beforeAll(async () => {
    const { user } = await createConsoleParties(sandbox);
    owner = merchantConsole(server, { user, merchantId });
  });

  it("are empty for future months", async () => {
    const month = dataOf(consoleReportMonthResponseSchema, await owner.get("/reports/EUR/months/2999-01"));
    expect(month).toMatchObject({ days: [], total: { credits: "0.00", entry_count: 0 } });
    const fees = readData(feeStatementResponseSchema, await api.get("/reports/fees", { month: "2999-01" }));
    const part = merchantId.replaceAll("-", "").slice(0, 12).toUpperCase();
    expect(fees).toMatchObject({ number: `TEST-FEES-2999-01-${part}`, closed: false, totals: [] });
  });

  it.each([
    ...["EUR/months?before=2025-13", "EUR/months/2025-1", "EUR/months/2025-00"],
    ...["EUR/days/2025-02-30", "fees/2026-13"],
  ])("reject a period that does not exist: %s", async (path) => {
    expect((await owner.get(`/reports/${path}`)).status).toBe(400);
  });

  it.each(["JPY/months", "JPY/months/2025-10", "JPY/days/2025-10-26"])(
    "return 404 for a wallet that the merchant does not have: %s",
    async (path) => {
      expect((await owner.get(`/reports/${path}`)).status).toBe(404);
    },
  );
});
