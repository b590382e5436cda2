import { randomUUID } from "node:crypto";
import {
  addDays,
  type ConsoleFeeMonths,
  type ConsoleReportPeriod,
  consoleFeeMonthsResponseSchema,
  consoleReportMonthResponseSchema,
  consoleReportMonthsResponseSchema,
  feeStatementResponseSchema,
  type Mode,
  type ReportDay,
  type ReportEntry,
  type ReportTotals,
  reportDayResponseSchema,
  reportFeedResponseSchema,
  reportTotalsSchema,
  reportWalletsResponseSchema,
  TIME_ZONE_HEADER,
  toLocalDay,
} from "@tillgate/contract";
import { callOne, ledger, proveLedger } from "@tillgate/database";
import { beforeAll, describe, expect, it } from "vitest";
import { depositFunds } from "../../support/funds.js";
import { createOrder } from "../../support/orders.js";
import { addCredential, addMerchantWallet } from "../../support/parties.js";
import {
  addApiToken,
  addPartner,
  addRecipient,
  decidePayout,
  decideRefund,
  lookUpRecipient,
  partnerApi,
  readPayout,
} from "../../support/partner.js";
import { type ApiResponse, errorOf, type PayApi, payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { createConsoleParties, dataOf, merchantConsole } from "../console/console-client.js";

const { sandbox, server, api, merchantId } = await createTestApi({
  environment: { TILLGATE_PAY_REQUESTS_PER_MINUTE: "100000", TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "100000" },
});
const { pool, prisma } = sandbox.database;

const read = <Data>(
  schema: { parse(body: unknown): { data: Data } },
  { status, body, text }: ApiResponse,
): Data => {
  expect({ status, text }).toMatchObject({ status: 200 });
  return schema.parse(body).data;
};
const readDay = async (
  wallet: string,
  date: string,
  query: Record<string, string> = {},
): Promise<ReportDay> => read(reportDayResponseSchema, await api.get(`/reports/${wallet}/${date}`, query));
const readFeed = async (wallet: string, cursor?: string, of: PayApi = api) =>
  read(
    reportFeedResponseSchema,
    await of.get(`/reports/${wallet}/feed`, { per_page: "100", ...(cursor === undefined ? {} : { cursor }) }),
  );
const listWallets = async () => read(reportWalletsResponseSchema, await api.get("/reports/wallets")).wallets;
const walletId = async (currency: string, kind: "merchant" | "hold" = "merchant"): Promise<string> =>
  (await prisma.account.findFirstOrThrow({ where: { merchantId, mode: "sandbox", currency, kind } })).id;

/** Minor units of a decimal string, as if every currency had three decimals. */
const units = (text: string): bigint => BigInt(Math.round(Number(text) * 1_000));

/** Reverses a deposit, as an administrator does with SQL. */
async function correctDeposit(transferId: string): Promise<void> {
  await pool.query(
    `WITH made AS (INSERT INTO transfers (id, mode, kind, corrects, external_reference)
       SELECT gen_random_uuid(), mode, kind, id, 'correction of ' || id FROM transfers WHERE id = $1 RETURNING id)
     INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
     SELECT made.id, account_id, mode, currency, -amount FROM entries, made WHERE transfer_id = $1`,
    [transferId],
  );
}

async function deposit(currency: string, minor: bigint): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT move_between_wallets(made.id, mode, 'deposit', currency, account_of(mode, currency, 'funding'), a.id, $2, 'deposit ' || made.id), made.id
     FROM accounts a, gen_random_uuid() AS made (id) WHERE a.id = $1`,
    [await walletId(currency), minor],
  );
  return rows[0]?.id ?? "";
}

async function pay(fields: Record<string, unknown>, outcome = "paid"): Promise<string> {
  const { order_id } = await createOrder(api, fields);
  const { body } = await api.post(`/orders/${order_id}/simulate`, { outcome });
  return (body as { data: { trx_id: string } }).data.trx_id;
}
const refund = async (fields: Record<string, unknown>): Promise<string> =>
  ((await api.post("/refunds", fields)).body as { data: { refund_id: string } }).data.refund_id;

/** Days on which clocks change in Paris, with entries at both ends. */
const CLOCK_CHANGES = [
  ...["2025-03-29T22:59:59Z", "2025-03-29T23:00:00Z", "2025-03-30T21:59:59Z", "2025-03-30T22:00:00Z"],
  ...["2025-10-25T21:59:59Z", "2025-10-25T22:00:00Z", "2025-10-26T22:59:59Z", "2025-10-26T23:00:00Z"],
];
const FIRST = "2025-03-01";
const DAYS = Array.from({ length: 366 }, (_, day) => addDays(FIRST, day));

/** Three currencies, conversions, fees, holds, refunds, deposits, withdrawals and corrections; spread over a year. */
async function generateYear(): Promise<void> {
  const partner = partnerApi(server, await addApiToken(sandbox, merchantId, "sandbox"));
  const recipient = await addRecipient(sandbox, { EUR: 0n, XAF: 0n });
  const payOut = async (amount: number, sender_currency: string, message: string) =>
    readPayout(
      await partner.post("/payout", {
        lookup_token: await lookUpRecipient(partner, recipient),
        ...{ amount, sender_currency, receiver_currency: "XAF", reference: randomUUID() },
        ...{ idempotency_key: randomUUID(), metadata: { run: "november" } },
      }),
      message,
    ).payout_id;
  const payments: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    payments.push(
      await pay({ amount: 41.5 + round, reference: `cart ${round}`, metadata: { till: String(round) } }),
    );
    await pay({ amount: 12 + round, currency: "USD" }, "paid_converted");
    await pay({ amount: 9_000 + round, currency: "XAF" });
    const mistake = await deposit("EUR", 700n + BigInt(round));
    if (round % 2 === 0) await payOut(20 + round, "EUR", "Payout completed.");
    if (round % 3 === 0) await correctDeposit(mistake);
    if (round > 2)
      await refund({ transaction_id: payments[round - 3], amount: 1 + round / 2, reference: `r${round}` });
  }
  await payOut(30, "USD", "Payout completed.");
  await pool.query(
    `SELECT move_between_wallets(gen_random_uuid(), mode, 'withdrawal', currency, id, account_of(mode, currency, 'funding'), 999, 'out')
     FROM accounts WHERE id = $1`,
    [await walletId("USD")],
  );
  const [approved, rejected] = [
    await payOut(2_000.01, "EUR", "Payout pending approval."),
    await payOut(2_000.02, "EUR", "Payout pending approval."),
  ];
  await prisma.merchant.update({ where: { id: merchantId }, data: { refundsNeedApproval: true } });
  const held = await refund({ transaction_id: payments[10], amount: 3 });
  const returned = await refund({ transaction_id: payments[11], amount: 4 });
  await decidePayout(sandbox, approved, true);
  await decidePayout(sandbox, rejected, false);
  await decideRefund(sandbox, held, true);
  await decideRefund(sandbox, returned, false);
  await payOut(2_000.03, "EUR", "Payout pending approval.");
  await prisma.merchant.update({ where: { id: merchantId }, data: { refundsNeedApproval: false } });

  const { rows } = await pool.query<{ id: string }>(
    "SELECT transfer_id AS id FROM entries GROUP BY transfer_id ORDER BY min(id)",
  );
  const spread = rows.length - CLOCK_CHANGES.length;
  const start = Date.parse(`${FIRST}T00:00:00Z`);
  const times = [
    ...CLOCK_CHANGES.map((time) => Date.parse(time)),
    ...Array.from({ length: spread }, (_, at) => start + Math.floor((at * 364.9 * 86_400_000) / spread)),
  ].sort((a, b) => a - b);
  const dated = rows.map(({ id }, at) => `('${id}'::uuid, to_timestamp(${(times[at] ?? 0) / 1000}))`);
  await sandbox.plantRows(`SET session_replication_role = replica;
    UPDATE transfers SET created_at = dated.at FROM (VALUES ${dated.join(", ")}) AS dated (id, at) WHERE transfers.id = dated.id`);
}

const readFile = async (of: PayApi, wallet: string, file: string, query: Record<string, string>) => {
  const response = await of.get(`/reports/${wallet}/${file}`, query);
  expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 });
  return response;
};

type Row = { amount: bigint; at: Date };
/** The entries of a wallet, read without the code under test. */
const readEntries = async (wallet: string): Promise<Row[]> => {
  const [currency = "", held] = wallet.split("-");
  const id = await walletId(currency, held ? "hold" : "merchant");
  const { rows } = await pool.query<Row>(
    "SELECT e.amount, t.created_at AS at FROM entries e JOIN transfers t ON t.id = e.transfer_id WHERE e.account_id = $1 ORDER BY e.id",
    [id],
  );
  return rows;
};

describe("reports of a generated year", () => {
  const ZONE = "Europe/Paris";
  let wallets: Awaited<ReturnType<typeof listWallets>>;
  const year = new Map<string, ReportDay[]>();
  let user: string;

  beforeAll(async () => {
    await generateYear();
    ({ user } = await createConsoleParties(sandbox));
    wallets = await listWallets();
    for (const { wallet } of wallets) {
      const busy = new Set((await readEntries(wallet)).map(({ at }) => toLocalDay(at, ZONE)));
      // Every day of the main wallet; of the others, the days with entries, and those after them.
      const dates = DAYS.filter((date) => wallet === "EUR" || busy.has(date) || busy.has(addDays(date, -1)));
      const days: ReportDay[] = [];
      for (let from = 0; from < dates.length; from += 20)
        days.push(
          ...(await Promise.all(
            dates
              .slice(from, from + 20)
              .map((date) => readDay(wallet, date, { time_zone: ZONE, per_page: "100" })),
          )),
        );
      year.set(wallet, days);
    }
  }, 120_000);

  it("cover every wallet, and the money held for pending payouts and refunds", () => {
    expect(wallets.map(({ wallet }) => wallet)).toEqual([
      ...["EUR", "EUR-held", "USD", "USD-held", "XAF", "XAF-held"],
    ]);
  });

  it("add up: a day's opening balance and entries give its closing balance, with which the next day opens", async () => {
    for (const [wallet, days] of year) {
      const entries = await readEntries(wallet);
      let before = 0n;
      const { digits } = await prisma.currency.findUniqueOrThrow({ where: { code: wallet.slice(0, 3) } });
      const minor = (text: string) => BigInt(Math.round(Number(text) * 10 ** digits));
      for (const day of days) {
        const ofDay = entries.filter(({ at }) => toLocalDay(at, ZONE) === day.date);
        expect(minor(day.opening_balance)).toBe(before);
        before += ofDay.reduce((sum, { amount }) => sum + amount, 0n);
        expect(minor(day.closing_balance)).toBe(before);
        expect(minor(day.opening_balance) + minor(day.credits) - minor(day.debits) - minor(day.fees)).toBe(
          before,
        );
        expect(day.entries.map(({ net }) => minor(net))).toEqual(ofDay.map(({ amount }) => amount));
        expect(day.entries.every(({ gross, fee, net }) => units(gross) - units(fee) === units(net))).toBe(
          true,
        );
        expect(day.entries.at(-1)?.balance ?? day.closing_balance).toBe(day.closing_balance);
        expect([day.entry_count, day.closed]).toEqual([ofDay.length, true]);
      }
      expect(minor(wallets.find((listed) => listed.wallet === wallet)?.balance ?? "")).toBe(before);
    }
  });

  it("sum to the totals of the ledger proof", async () => {
    const { positions } = await proveLedger(sandbox.url);
    const { rows } = await pool.query<{ currency: string; minor: bigint; digits: number }>(
      `SELECT a.currency, sum(a.balance)::bigint AS minor, c.digits FROM accounts a JOIN currencies c ON c.code = a.currency
       WHERE a.balance IS NOT NULL AND a.mode = 'sandbox' AND a.merchant_id IS DISTINCT FROM $1 GROUP BY a.currency, c.digits`,
      [merchantId],
    );
    for (const { currency, minor, digits } of rows) {
      const reports = [...year].filter(([wallet]) => wallet.startsWith(currency)).flatMap(([, days]) => days);
      const total = (pick: (day: ReportDay) => string) =>
        reports.reduce((sum, day) => sum + BigInt(Math.round(Number(pick(day)) * 10 ** digits)), 0n);
      const moved =
        total(({ credits }) => credits) - total(({ debits }) => debits) - total(({ fees }) => fees);
      const house = positions.filter(
        (position) => position.mode === "sandbox" && position.currency === currency,
      );
      expect(moved + minor + house.reduce((sum, position) => sum + position.minor, 0n)).toBe(0n);
      const fees = house.find(({ kind }) => kind === "fees")?.minor;
      // What the pending payout will be charged is still in the hold.
      expect(total((day) => day.fees)).toBe(fees);
    }
  });

  it("have days of 23 and 25 hours when the clocks change", () => {
    const hours = (date: string) => {
      const day = year.get("EUR")?.find((found) => found.date === date);
      return day && (Date.parse(day.ends_at) - Date.parse(day.starts_at)) / 3_600_000;
    };
    expect(["2025-03-29", "2025-03-30", "2025-10-26"].map(hours)).toEqual([24, 23, 25]);
  });

  it("name an entry's type, and the order, payout or corrected entry it belongs to", () => {
    const all = [...year.values()].flatMap((days) => days.flatMap(({ entries }) => entries));
    const count = (type: string) => all.filter((entry) => entry.type === type).length;
    const types = ["payment", "refund", "payout", "hold", "release", "deposit", "withdrawal", "correction"];
    expect(types.map(count).every((found) => found > 0)).toBe(true);
    const of = (type: string) => all.filter((entry) => entry.type === type);
    const payment = of("payment").find(({ reference }) => reference === "cart 1");
    expect(payment).toMatchObject({ gross: "42.50", fee: "0.00", metadata: { till: "1" } });
    expect(of("refund").find(({ reference }) => reference === "r4")).toMatchObject({
      ...{ order_id: payment?.order_id, trx_id: payment?.trx_id, gross: "-3.00" },
    });
    const payout = of("payout").find(({ gross, currency }) => currency === "EUR" && gross === "-20.00");
    expect(payout).toMatchObject({ metadata: { run: "november" }, trx_id: expect.any(String) });
    expect(Number(payout?.fee)).toBeGreaterThan(0);
    const [held] = of("hold").filter(({ payout_id }) => payout_id !== null);
    expect([held?.gross, held?.fee.startsWith("-")]).toEqual(["-2000.01", false]);
    const [correction] = of("correction");
    const corrected = all.find(({ entry_id }) => entry_id === correction?.corrects_entry_id);
    expect(units(corrected?.net ?? "0")).toBe(-units(correction?.net ?? "0"));
  });

  it("are summed by month and day in the console, from the first entry on, in the user's time zone", async () => {
    const of = { user, merchantId };
    const paris = merchantConsole(server, of, { [TIME_ZONE_HEADER]: ZONE });
    const readMonths = async (wallet: string) => {
      const months: ConsoleReportPeriod[] = [];
      for (let before: string | null = ""; before !== null; ) {
        const page = await paris.get(`/reports/${wallet}/months`, before === "" ? {} : { before });
        const { months: more, next } = dataOf(consoleReportMonthsResponseSchema, page);
        expect(more.length).toBeLessThanOrEqual(12);
        months.push(...more);
        before = next;
      }
      return months.reverse();
    };
    const sum = (all: ReportTotals[], name: "credits" | "debits" | "fees" | "entry_count") =>
      all.reduce((total, totals) => total + units(String(totals[name])), 0n);
    for (const [wallet, days] of year) {
      const months = await readMonths(wallet);
      const current = toLocalDay(new Date(), ZONE).slice(0, 7);
      const first = days.find(({ entry_count }) => entry_count > 0)?.date.slice(0, 7) ?? current;
      expect(months[0]?.period).toBe(first);
      const balance = wallets.find((listed) => listed.wallet === wallet)?.balance;
      expect(months.at(-1)).toMatchObject({ period: current, closing_balance: balance });
      for (const name of ["credits", "debits", "fees", "entry_count"] as const)
        expect([wallet, name, sum(months, name)]).toEqual([wallet, name, sum(days, name)]);
    }
    const month = dataOf(consoleReportMonthResponseSchema, await paris.get("/reports/EUR/months/2025-10"));
    const ofOctober = year.get("EUR")?.filter(({ date }) => date.startsWith("2025-10")) ?? [];
    expect(month.days).toEqual(
      ofOctober.map(({ date, ...day }) => ({ period: date, ...reportTotalsSchema.parse(day) })),
    );
    expect(month.days).toHaveLength(31);
    expect(month.total).toMatchObject({
      opening_balance: month.days[0]?.opening_balance,
      closing_balance: month.days.at(-1)?.closing_balance,
      entry_count: month.days.reduce((total, { entry_count }) => total + entry_count, 0),
    });
    const busy = year.get("EUR")?.find(({ entry_count }) => entry_count > 0)?.date ?? "";
    const day = dataOf(reportDayResponseSchema, await paris.get(`/reports/EUR/days/${busy}`));
    expect(day).toEqual(await readDay("EUR", busy, { time_zone: ZONE }));

    const utc = merchantConsole(server, of);
    const inUtc = dataOf(reportDayResponseSchema, await utc.get(`/reports/EUR/days/${busy}`));
    expect(inUtc).toEqual(await readDay("EUR", busy));
    const future = dataOf(consoleReportMonthResponseSchema, await utc.get("/reports/EUR/months/2999-01"));
    expect(future).toMatchObject({ days: [], total: { credits: "0.00", entry_count: 0 } });
    for (const path of ["JPY/months", "JPY/months/2025-10", "JPY/days/2025-10-26"])
      expect((await utc.get(`/reports/${path}`)).status, path).toBe(404);
    for (const path of ["months?before=2025-13", "months/2025-1", "months/2025-00", "days/2025-02-30"])
      expect((await utc.get(`/reports/EUR/${path}`)).status, path).toBe(400);
  });

  it.each(["EUR", "EUR-held"])(
    "are the same as %s's statements in CSV and camt.053, which a key that only reads reports can download",
    async (wallet) => {
      const time_zone = "Europe/Paris";
      const accountant = payApi(
        server,
        await addCredential(sandbox, merchantId, "sandbox", { reportsOnly: true }),
      );
      const { entries } = await readFeed(wallet);
      const [first] = entries;
      const last = entries.find(({ created_at }) => created_at > (first?.created_at ?? "")) ?? first;
      const [from_date = "", to_date = ""] = [first, last].map(
        (entry) => entry && toLocalDay(new Date(entry.created_at), time_zone),
      );
      const listed = entries.filter(
        ({ created_at }) => toLocalDay(new Date(created_at), time_zone) <= to_date,
      );
      expect(listed.length).toBeGreaterThan(1);
      const period = { from_date, to_date, time_zone };

      const csv = await readFile(accountant, wallet, "statement.csv", { ...period, dialect: "semicolon" });
      expect(csv.headers.get("content-disposition")).toBe("attachment; filename=statement.csv");
      const [heads = [], ...rows] = csv.text
        .trim()
        .split("\r\n")
        .map((row) => row.split(";"));
      const columns = ["entry_id", "amount", "fee", "balance", "currency"].map((name) => heads.indexOf(name));
      expect(rows.map((row) => columns.map((column) => row[column]?.replaceAll('"', "")))).toEqual(
        listed.map(({ entry_id, net, fee, balance }) => [
          entry_id,
          ...[net, fee, balance].map((amount) => amount.replace(".", ",")),
          "EUR",
        ]),
      );

      const { text, headers } = await readFile(accountant, wallet, "statement.xml", period);
      expect(headers.get("content-type")).toBe("application/xml; charset=utf-8");
      const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, value]) => value);
      expect(found(/<NtryRef>(\d+)</g)).toEqual(listed.map(({ entry_id }) => entry_id));
      expect(found(/<Cd>CLBD<.*?<Amt Ccy="EUR">([\d.]+)</g)).toEqual([listed.at(-1)?.balance]);
      expect(found(/<MsgId>([^<]+)</g)).toEqual([`${wallet}-${from_date}-${to_date}`]);
    },
  );

  it("charge the fees of the fee statements, whose months with fees the console lists", async () => {
    const paris = merchantConsole(server, { user, merchantId }, { [TIME_ZONE_HEADER]: ZONE });
    const listed: ConsoleFeeMonths["months"] = [];
    for (let before: string | null = ""; before !== null; ) {
      const page: ApiResponse = await paris.get("/reports/fees", before === "" ? {} : { before });
      const { months, next } = dataOf(consoleFeeMonthsResponseSchema, page);
      listed.push(...months);
      before = next;
    }
    const every = [...new Set(DAYS.map((date) => date.slice(0, 7)))].reverse();
    const charged = every.map((month) => {
      const totals = ["EUR", "USD", "XAF"].map((currency) => {
        const days = [...year].flatMap(([wallet, all]) => (wallet.startsWith(currency) ? all : []));
        const ofMonth = days.filter(({ date }) => date.startsWith(month));
        return { currency, units: ofMonth.reduce((sum, { fees }) => sum + units(fees), 0n) };
      });
      return { month, totals: totals.filter((total) => total.units !== 0n) };
    });
    expect(
      listed
        .filter(({ month }) => every.includes(month))
        .map(({ month, totals }) => ({
          month,
          totals: totals.map(({ currency, fees }) => ({ currency, units: units(fees) })),
        })),
    ).toEqual(charged.filter(({ totals }) => totals.length > 0));
    expect(charged.some(({ totals }) => totals.length === 0)).toBe(true);

    const [month] = listed;
    const query = { month: month?.month ?? "", time_zone: ZONE };
    const statement = read(feeStatementResponseSchema, await api.get("/reports/fees", query));
    expect(statement).toMatchObject({ ...month, closed: true, time_zone: ZONE });
    const part = merchantId.replaceAll("-", "").slice(0, 12).toUpperCase();
    expect(statement.number).toBe(`TEST-FEES-${query.month}-${part}-EUROPE-PARIS`);
    expect(dataOf(feeStatementResponseSchema, await paris.get(`/reports/fees/${query.month}`))).toEqual(
      statement,
    );
    const future = read(feeStatementResponseSchema, await api.get("/reports/fees", { month: "2999-01" }));
    expect(future).toMatchObject({ number: `TEST-FEES-2999-01-${part}`, closed: false, totals: [] });
    expect((await paris.get("/reports/fees/2026-13")).status).toBe(400);
  });

  it("contain the same entries as the feed read to its end", async () => {
    for (const [wallet, days] of year) {
      const fed: ReportEntry[] = [];
      let page = await readFeed(wallet);
      for (;;) {
        fed.push(...page.entries);
        if (!page.has_more) break;
        page = await readFeed(wallet, page.next_cursor);
      }
      expect(fed).toEqual(days.flatMap(({ entries }) => entries));
      expect((await readFeed(wallet, page.next_cursor)).entries).toEqual([]);
    }
  });
});

describe("GET /reports/{wallet}/statement.csv and statement.xml", () => {
  it.each(["statement.csv", "statement.xml"])("%s is empty for days without entries", async (file) => {
    const { headers } = await readFile(api, "EUR", file, { from_date: "2999-01-01", to_date: "2999-01-31" });
    expect(headers.get("x-tillgate-total")).toBe("0");
  });

  it("return nothing of the wallets of another merchant or mode", async () => {
    const other = await addPartner(sandbox, { wallets: { KWD: 5_000n } });
    const credential = await addCredential(sandbox, other.merchantId, "live");
    for (const file of ["statement.csv", "statement.xml"]) {
      expect(errorOf(await api.get(`/reports/KWD/${file}`)).status).toBe(404);
      expect(errorOf(await payApi(server, credential, "live").get(`/reports/KWD/${file}`)).status).toBe(404);
    }
  });
});

describe("GET /reports/{wallet}/{date}", () => {
  it("pages through a day's entries, with the same balances as in one page", async () => {
    const today = toLocalDay(new Date(), "UTC");
    for (let of = 0; of < 3; of += 1) await deposit("XAF", 5n);
    const whole = await readDay("XAF", today);
    const paged: ReportEntry[] = [];
    let cursor: string | null = null;
    do {
      const page: ReportDay = await readDay("XAF", today, {
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
    const { rows } = await pool.query<{ id: string; at: Date }>(
      "SELECT id, created_at AS at FROM transfers t WHERE kind = 'deposit' AND created_at < '2025-08-01' AND corrects IS NULL AND NOT EXISTS (SELECT FROM transfers c WHERE c.corrects = t.id) AND external_reference LIKE 'deposit %' LIMIT 1",
    );
    const [corrected] = rows;
    if (!corrected) throw new Error("no deposit to correct");
    const readItsDay = () => readDay("EUR", toLocalDay(corrected.at, "UTC"), { per_page: "100" });
    const day = await readItsDay();
    await correctDeposit(corrected.id);
    expect(await readItsDay()).toEqual(day);
    const { entries } = await readDay("EUR", toLocalDay(new Date(), "UTC"), { per_page: "100" });
    expect(entries.at(-1)).toMatchObject({ type: "correction", corrects_entry_id: expect.any(String) });
  });

  it("stays open while a transaction may still book an entry before its end", async () => {
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

  it.each(["0001-01-01", "9999-12-31"])(
    "accepts %s, the first or the last day of the calendar",
    async (date) => {
      expect((await readDay("EUR", date, { time_zone: "Pacific/Kiritimati" })).entry_count).toBe(0);
    },
  );

  it("shows nothing of the wallets of another merchant or mode", async () => {
    const other = await addPartner(sandbox, { wallets: { KWD: 5_000n } });
    const theirs = async (mode: Mode) =>
      payApi(server, await addCredential(sandbox, other.merchantId, mode), mode);
    const [sandboxApi, liveApi] = [await theirs("sandbox"), await theirs("live")];
    await addMerchantWallet(sandbox, other.merchantId, "live", "EUR");
    const { next_cursor } = await readFeed("KWD", undefined, sandboxApi);
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
    const day = async (date: string) =>
      read(reportDayResponseSchema, await theirs.get(`/reports/KWD/${date}`, { per_page: "1" }));
    for (const reading of ["before", "after"]) {
      if (reading === "after") expect(await callOne(pool, ledger.writeCheckpoints, { limit: 10 })).toBe(1);
      // Minutes 1440 to 2500 since midnight of the day before, in thousandths.
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
    const { next_cursor: start } = await readFeed("XAF").then(async (page) => {
      let last = page;
      while (last.has_more) last = await readFeed("XAF", last.next_cursor);
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
    const none = await readFeed("XAF", start);
    expect(none.entries).toEqual([]);
    await booking.query("COMMIT");
    booking.release();
    await waiting;
    const { entries } = await readFeed("XAF", none.next_cursor);
    expect(entries.map(({ net }) => net)).toEqual(["1", "2"]);
  });
});
