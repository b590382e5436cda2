import {
  addDays,
  type ConsoleFeeMonths,
  type ConsoleReportPeriod,
  consoleFeeMonthsResponseSchema,
  consoleReportMonthResponseSchema,
  consoleReportMonthsResponseSchema,
  feeStatementResponseSchema,
  type ReportDay,
  type ReportEntry,
  reportDayResponseSchema,
  TIME_ZONE_HEADER,
  toLocalDay,
} from "@tillgate/contract";
import { proveLedger } from "@tillgate/database";
import { beforeAll, describe, expect, it } from "vitest";
import { addCredential } from "../../support/parties.js";
import {
  listReportWallets,
  readData,
  readReportDay,
  readReportFeed,
  readStatementFile,
} from "../../support/reports.js";
import { type ApiResponse, payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  type ConsoleClient,
  createConsoleParties,
  dataOf,
  merchantConsole,
} from "../console/console-client.js";
import { CLOCK_CHANGES, DAYS, FIRST_DAY, generateYear, SEED, ZONES } from "./generate-year.js";
import { damageProof, PLANTED_CENTS } from "./planted-cents.js";

const scene = await createTestApi({
  environment: { TILLGATE_PAY_REQUESTS_PER_MINUTE: "100000", TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "100000" },
});
const { sandbox, server, api, merchantId } = scene;
const { pool } = sandbox.database;

/** Converts an amount with all decimals of its currency to minor units. */
const minorOf = (decimal: string): bigint => BigInt(decimal.replace(".", ""));
const sumOf = (decimals: string[]): bigint => decimals.reduce((sum, decimal) => sum + minorOf(decimal), 0n);

type Row = { id: bigint; amount: bigint; day: string };
/** Reads a wallet's entries and their local days without the code under test. */
const readEntries = async (wallet: string, zone: string): Promise<Row[]> => {
  const [currency, held] = wallet.split("-");
  const { rows } = await pool.query<Row>(
    `SELECT e.id, e.amount, to_char(t.created_at AT TIME ZONE $4, 'YYYY-MM-DD') AS day
     FROM entries e JOIN transfers t ON t.id = e.transfer_id JOIN accounts a ON a.id = e.account_id
     WHERE a.merchant_id = $1 AND a.mode = 'sandbox' AND a.currency = $2 AND a.kind = $3 ORDER BY e.id`,
    [merchantId, currency, held ? "hold" : "merchant", zone],
  );
  return rows;
};

/**
 * Stores the totals at an entry in the middle of each wallet, as the worker does at every thousandth entry.
 */
const writeCheckpoints = () =>
  sandbox.executeAsSuperuser(
    `INSERT INTO entry_checkpoints (account_id, entry_id, entries, credits, debits, fees)
     SELECT a.id, middle.id, totals.* FROM accounts a
     CROSS JOIN LATERAL (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) AS id FROM entries WHERE account_id = a.id) AS middle
     CROSS JOIN LATERAL totals_before(a.id, middle.id + 1) AS totals WHERE a.merchant_id = '${merchantId}' AND middle.id IS NOT NULL`,
  );

/**
 * A wallet's daily totals, and its days with their entries: all days of the euro wallet, and of other wallets
 * the days with entries and the days after them.
 */
type Year = { totals: ConsoleReportPeriod[]; days: ReportDay[] };

async function readYear(owner: ConsoleClient, wallet: string, zone: string): Promise<Year> {
  const busy = new Set((await readEntries(wallet, zone)).map(({ day }) => day));
  const dates = DAYS.filter((date) => wallet === "EUR" || busy.has(date) || busy.has(addDays(date, -1)));
  const days: ReportDay[] = [];
  for (let from = 0; from < dates.length; from += 20)
    days.push(
      ...(await Promise.all(
        dates
          .slice(from, from + 20)
          .map((date) => readReportDay(api, wallet, date, { time_zone: zone, per_page: "100" })),
      )),
    );
  const totals: ConsoleReportPeriod[] = [];
  for (const month of new Set(DAYS.map((date) => date.slice(0, 7)))) {
    const path = `/reports/${wallet}/months/${month}`;
    const { days: ofMonth, total } = dataOf(consoleReportMonthResponseSchema, await owner.get(path));
    expect(total).toMatchObject({
      opening_balance: ofMonth[0]?.opening_balance,
      closing_balance: ofMonth.at(-1)?.closing_balance,
      entry_count: ofMonth.reduce((count, { entry_count }) => count + entry_count, 0),
    });
    for (const name of ["credits", "debits", "fees"] as const)
      expect(minorOf(total[name])).toBe(sumOf(ofMonth.map((day) => day[name])));
    totals.push(...ofMonth);
  }
  return { totals, days };
}

describe(`reports of a generated year (seed ${SEED})`, () => {
  let wallets: Awaited<ReturnType<typeof listReportWallets>>;
  let user: string;
  const ownerIn = (zone: string) =>
    merchantConsole(server, { user, merchantId }, zone === "UTC" ? {} : { [TIME_ZONE_HEADER]: zone });
  /**
   * Reports by time zone and wallet. The reports in Paris time are read before checkpoints exist, and those
   * in UTC afterwards.
   */
  const years = new Map<string, Map<string, Year>>();
  const yearsIn = (zone: string) => [...(years.get(zone) ?? [])];

  beforeAll(async () => {
    await generateYear(scene);
    ({ user } = await createConsoleParties(sandbox));
    wallets = await listReportWallets(api);
    for (const zone of [...ZONES].reverse()) {
      if (zone === "UTC") await writeCheckpoints();
      const ofWallets = new Map<string, Year>();
      for (const { wallet } of wallets) ofWallets.set(wallet, await readYear(ownerIn(zone), wallet, zone));
      years.set(zone, ofWallets);
    }
  }, 600_000);

  it("are based on books that pass the ledger proof", async () => {
    const { rules } = await proveLedger(sandbox.url);
    expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
  });

  it("cover every wallet, and the money held for pending payouts and refunds", () => {
    expect(wallets.map(({ wallet }) => wallet)).toEqual([
      ...["EUR", "EUR-held", "USD", "USD-held", "XAF", "XAF-held"],
    ]);
  });

  describe.each(ZONES)("in %s", (zone) => {
    it("start each of the 365 days with the previous day's closing balance, and add exactly that day's entries", async () => {
      for (const [wallet, { totals, days }] of yearsIn(zone)) {
        const entries = await readEntries(wallet, zone);
        expect(totals.map(({ period }) => period)).toEqual(DAYS);
        let balance = 0n;
        for (const {
          period,
          opening_balance,
          credits,
          debits,
          fees,
          closing_balance,
          entry_count,
        } of totals) {
          const ofDay = entries.filter(({ day }) => day === period);
          expect([wallet, period, minorOf(opening_balance)]).toEqual([wallet, period, balance]);
          balance += ofDay.reduce((sum, { amount }) => sum + amount, 0n);
          const sums = minorOf(opening_balance) + minorOf(credits) - minorOf(debits) - minorOf(fees);
          expect([wallet, period, sums, minorOf(closing_balance), entry_count]).toEqual([
            ...[wallet, period, balance, balance, ofDay.length],
          ]);
        }
        expect(minorOf(wallets.find((listed) => listed.wallet === wallet)?.balance ?? "")).toBe(balance);
        for (const day of days) {
          const ofDay = entries.filter((entry) => entry.day === day.date);
          const { period: _, ...total } = totals.find(({ period }) => period === day.date) ?? {};
          expect(day).toMatchObject({ ...total, closed: true, next_cursor: null });
          expect(day.entries.map(({ entry_id, net }) => [entry_id, minorOf(net)])).toEqual(
            ofDay.map(({ id, amount }) => [String(id), amount]),
          );
          const gross = day.entries.map((entry) => minorOf(entry.gross));
          const sums = [
            gross.reduce((sum, amount) => sum + (amount > 0n ? amount : 0n), 0n),
            gross.reduce((sum, amount) => sum - (amount < 0n ? amount : 0n), 0n),
            sumOf(day.entries.map(({ fee }) => fee)),
          ];
          expect(sums).toEqual([day.credits, day.debits, day.fees].map(minorOf));
          let after = minorOf(day.opening_balance);
          for (const entry of day.entries) {
            after += minorOf(entry.gross) - minorOf(entry.fee);
            expect([entry.entry_id, minorOf(entry.balance)]).toEqual([entry.entry_id, after]);
          }
        }
      }
    });

    it("sum to the totals of the ledger proof", async () => {
      const { positions } = await proveLedger(sandbox.url);
      const { rows } = await pool.query<{ currency: string; minor: bigint }>(
        `SELECT currency, sum(balance)::bigint AS minor FROM accounts
         WHERE balance IS NOT NULL AND mode = 'sandbox' AND merchant_id IS DISTINCT FROM $1 GROUP BY currency`,
        [merchantId],
      );
      for (const currency of ["EUR", "USD", "XAF"]) {
        const reports = yearsIn(zone).flatMap(([wallet, { totals }]) =>
          wallet.startsWith(currency) ? totals : [],
        );
        const total = (name: "credits" | "debits" | "fees") => sumOf(reports.map((day) => day[name]));
        const house = positions.filter(
          (position) => position.mode === "sandbox" && position.currency === currency,
        );
        const others = rows.find((row) => row.currency === currency)?.minor ?? 0n;
        const positionOfHouse = house.reduce((sum, { minor }) => sum + minor, 0n);
        expect(total("credits") - total("debits") - total("fees") + others + positionOfHouse).toBe(0n);
        // The fee of a pending payout is still on hold.
        expect(total("fees")).toBe(house.find(({ kind }) => kind === "fees")?.minor);
      }
    });

    it("contain the same entries as the whole feed", async () => {
      for (const [wallet, { days }] of yearsIn(zone)) {
        const fed: ReportEntry[] = [];
        let page = await readReportFeed(api, wallet);
        for (;;) {
          fed.push(...page.entries);
          if (!page.has_more) break;
          page = await readReportFeed(api, wallet, page.next_cursor);
        }
        expect(fed).toEqual(days.flatMap(({ entries }) => entries));
        expect((await readReportFeed(api, wallet, page.next_cursor)).entries).toEqual([]);
      }
    });

    it("cover the months that the console lists, starting with the first entry's month", async () => {
      for (const [wallet, { totals }] of yearsIn(zone)) {
        const months: ConsoleReportPeriod[] = [];
        for (let before: string | null = ""; before !== null; ) {
          const page = await ownerIn(zone).get(`/reports/${wallet}/months`, before === "" ? {} : { before });
          const { months: more, next } = dataOf(consoleReportMonthsResponseSchema, page);
          expect(more.length).toBeLessThanOrEqual(12);
          months.push(...more);
          before = next;
        }
        months.reverse();
        const first = totals.find(({ entry_count }) => entry_count > 0)?.period.slice(0, 7);
        expect(months[0]?.period).toBe(first);
        const balance = wallets.find((listed) => listed.wallet === wallet)?.balance;
        const current = toLocalDay(new Date(), zone).slice(0, 7);
        expect(months.at(-1)).toMatchObject({ period: current, closing_balance: balance });
        for (const name of ["credits", "debits", "fees"] as const)
          expect(sumOf(months.map((month) => month[name]))).toBe(sumOf(totals.map((day) => day[name])));
      }
    });

    it("are the same as a year's statements in CSV and camt.053, which a reports-only key can download", async () => {
      const accountant = payApi(
        server,
        await addCredential(sandbox, merchantId, "sandbox", { reportsOnly: true }),
      );
      for (const [wallet, { totals, days }] of yearsIn(zone)) {
        const period = { from_date: FIRST_DAY, to_date: DAYS.at(-1) ?? "", time_zone: zone };
        const entries = days.flatMap((day) => day.entries);
        const csv = await readStatementFile(accountant, wallet, "statement.csv", {
          ...period,
          dialect: "semicolon",
        });
        expect(csv.headers.get("content-disposition")).toBe("attachment; filename=statement.csv");
        const [heads = [], ...rows] = csv.text
          .trim()
          .split("\r\n")
          .map((row) => row.split(";"));
        const columns = ["entry_id", "amount", "fee", "balance", "currency"].map((name) =>
          heads.indexOf(name),
        );
        expect(rows.map((row) => columns.map((column) => row[column]?.replaceAll('"', "")))).toEqual(
          entries.map(({ entry_id, net, fee, balance, currency }) => [
            entry_id,
            ...[net, fee, balance].map((amount) => amount.replace(".", ",")),
            currency,
          ]),
        );

        const { text, headers } = await readStatementFile(accountant, wallet, "statement.xml", period);
        expect(headers.get("content-type")).toBe("application/xml; charset=utf-8");
        const found = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match.slice(1));
        const signed = ([amount = "", side]: string[]) => (side === "DBIT" ? -1n : 1n) * minorOf(amount);
        const amount = `<Amt Ccy="${wallet.slice(0, 3)}">([\\d.]+)</Amt><CdtDbtInd>(\\w+)<`;
        const booked = found(new RegExp(`<NtryRef>(\\d+)</NtryRef>${amount}`, "g"));
        expect(booked.map(([id, ...of]) => [id, signed(of)])).toEqual(
          entries.map(({ entry_id, net }) => [entry_id, minorOf(net)]),
        );
        const [opening, closing] = ["OPBD", "CLBD"].map((code) =>
          found(new RegExp(`<Cd>${code}</Cd></CdOrPrtry></Tp>${amount}`, "g")).map(signed),
        );
        expect(opening).toEqual([minorOf(totals[0]?.opening_balance ?? "")]);
        expect(closing).toEqual([minorOf(totals.at(-1)?.closing_balance ?? "")]);
        const booking = booked.reduce((sum, [, ...of]) => sum + signed(of), 0n);
        expect((opening?.[0] ?? 0n) + booking).toBe(closing?.[0]);
        expect(found(/<MsgId>([^<]+)</g)).toEqual([[`${wallet}-${period.from_date}-${period.to_date}`]]);
      }
    });

    it("contain the fees of the fee statements; the console lists the months with fees", async () => {
      const { rows } = await pool.query<{ month: string; currency: string; fees: bigint }>(
        `SELECT to_char(t.created_at AT TIME ZONE $2, 'YYYY-MM') AS month, p.sender_currency AS currency, sum(p.fee)::bigint AS fees
         FROM payouts p JOIN transfers t ON t.id = p.transfer_id WHERE p.merchant_id = $1 AND p.status = 'completed'
         GROUP BY 1, 2 ORDER BY 1 DESC, 2`,
        [merchantId, zone],
      );
      const months = new Map<string, { currency: string; fees: bigint }[]>();
      for (const { month, ...total } of rows) months.set(month, [...(months.get(month) ?? []), total]);
      const chargedIn = (totals: { currency: string; fees: string }[]) =>
        totals.map(({ currency, fees }) => ({ currency, fees: minorOf(fees) }));

      const listed: ConsoleFeeMonths["months"] = [];
      for (let before: string | null = ""; before !== null; ) {
        const page: ApiResponse = await ownerIn(zone).get("/reports/fees", before === "" ? {} : { before });
        const { months: more, next } = dataOf(consoleFeeMonthsResponseSchema, page);
        listed.push(...more);
        before = next;
      }
      expect(listed.map(({ month, totals }) => [month, chargedIn(totals)])).toEqual([...months]);

      const part = merchantId.replaceAll("-", "").slice(0, 12).toUpperCase();
      for (const { month, ...item } of listed) {
        const of = { month, time_zone: zone };
        const statement = readData(feeStatementResponseSchema, await api.get("/reports/fees", of));
        expect(statement).toMatchObject({ ...item, ...of, closed: true });
        const suffix = zone === "UTC" ? "" : "-EUROPE-PARIS";
        expect(statement.number).toBe(`TEST-FEES-${month}-${part}${suffix}`);
        expect(dataOf(feeStatementResponseSchema, await ownerIn(zone).get(`/reports/fees/${month}`))).toEqual(
          statement,
        );
        const days = yearsIn(zone).flatMap(([wallet, { totals }]) =>
          totals
            .filter(({ period }) => period.startsWith(month))
            .map(({ fees }) => ({ currency: wallet.slice(0, 3), fees })),
        );
        for (const { currency, fees } of statement.totals)
          expect(sumOf(days.filter((day) => day.currency === currency).map((day) => day.fees))).toBe(
            minorOf(fees),
          );
      }
    });
  });

  it("have days of 23 and 25 hours when the clocks change", () => {
    const hoursIn = (zone: string, date: string) => {
      const day = years
        .get(zone)
        ?.get("EUR")
        ?.days.find((found) => found.date === date);
      return day && (Date.parse(day.ends_at) - Date.parse(day.starts_at)) / 3_600_000;
    };
    const changes = [CLOCK_CHANGES.short, CLOCK_CHANGES.long];
    expect(changes.map((date) => hoursIn("Europe/Paris", date))).toEqual([23, 25]);
    expect(changes.map((date) => hoursIn("UTC", date))).toEqual([24, 24]);
  });

  it("state each entry's type, and the order or payout that it belongs to or the entry that it corrects", () => {
    const all = yearsIn("UTC").flatMap(([, { days }]) => days.flatMap(({ entries }) => entries));
    const of = (type: string) => all.filter((entry) => entry.type === type);
    for (const type of [
      "payment",
      "refund",
      "payout",
      "hold",
      "release",
      "deposit",
      "withdrawal",
      "correction",
    ])
      expect([type, of(type).length > 0]).toEqual([type, true]);
    for (const payment of of("payment")) {
      const cart = /^cart (\d+)$/.exec(payment.reference ?? "")?.[1];
      expect(payment).toMatchObject({ fee: expect.stringMatching(/^0(\.00)?$/), metadata: { cart } });
    }
    for (const { order_id, trx_id } of of("refund"))
      expect(of("payment").find((payment) => payment.order_id === order_id)?.trx_id).toBe(trx_id);
    const payouts = of("payout").filter(({ gross }) => gross.startsWith("-"));
    for (const payout of payouts) {
      expect(payout).toMatchObject({ metadata: { run: "november" }, trx_id: expect.any(String) });
      expect(minorOf(payout.fee)).toBeGreaterThan(0n);
    }
    for (const { payout_id, gross, fee } of of("hold")) {
      // The fee of a payout on hold is positive where it leaves the wallet, and negative where it enters the hold.
      const isCharged = payout_id === null ? 0n : gross.startsWith("-") ? 1n : -1n;
      expect(minorOf(fee) * isCharged >= 0n && (payout_id === null) === (minorOf(fee) === 0n)).toBe(true);
    }
    for (const correction of of("correction")) {
      const corrected = all.find(({ entry_id }) => entry_id === correction.corrects_entry_id);
      expect(minorOf(corrected?.net ?? "0")).toBe(-minorOf(correction.net));
    }
  });

  it("are the same in the console for a day in the user's time zone", async () => {
    for (const zone of ZONES) {
      const busy =
        years
          .get(zone)
          ?.get("EUR")
          ?.days.find(({ entry_count }) => entry_count > 0)?.date ?? "";
      const page = await ownerIn(zone).get(`/reports/EUR/days/${busy}`);
      const day = dataOf(reportDayResponseSchema, page);
      expect(day).toEqual(await readReportDay(api, "EUR", busy, { time_zone: zone }));
    }
  });

  it.each(PLANTED_CENTS)(
    "are based on books in which the ledger proof finds and identifies a difference of one cent $place",
    async ({ rule, plant }) => {
      const { violations, named } = await damageProof(sandbox, plant);
      expect(Object.keys(violations)).toContainEqual(expect.stringMatching(rule));
      const found = Object.entries(violations).filter(([broken]) => rule.test(broken));
      expect(found.flatMap(([, lines]) => lines).join("\n")).toContain(named);
    },
  );
});
