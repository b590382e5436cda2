import {
  addDays,
  consoleProfileResponseSchema,
  consoleReportMonthResponseSchema,
  type MemberRole,
  TIME_ZONE_HEADER,
  toLocalDay,
} from "@tillgate/contract";
import { pino } from "pino";
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Context } from "../../../src/context.js";
import { startDigests } from "../../../src/jobs/workers.js";
import { createMailer } from "../../../src/mail/mailer.js";
import { composeDigest } from "../../../src/reports/digests.js";
import { queueMonthlyReports } from "../../../src/reports/monthly-reports.js";
import { parseSmtpUrl } from "../../../src/settings.js";
import { startMailServer } from "../../support/mail-server.js";
import { addLiveCredential } from "../../support/parties.js";
import { errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";
import {
  addConsoleUser,
  type ConsoleParties,
  consoleClient,
  createConsoleParties,
  dataOf,
  sessionTokenOf,
} from "../console/console-client.js";

const PARIS = "Europe/Paris";
const NEW_YORK = "America/New_York";
/** Deposits in cents, around the ends of months in which the clocks change: October in Paris, November in New York. */
const DEPOSITS = [
  [1n, "2025-09-30T21:59:59Z"],
  [20n, "2025-09-30T22:00:00Z"],
  [300n, "2025-10-31T22:59:59Z"],
  [4_000n, "2025-11-01T03:59:59Z"],
  [50_000n, "2025-11-01T04:00:00Z"],
  [600_000n, "2025-12-01T04:59:59Z"],
  [7_000_000n, "2025-12-01T05:00:00Z"],
] as const;

const contexts: Context[] = [];
const { sandbox, server, merchantId } = await createTestApi({
  change: (created) => {
    contexts.push(created);
    return created;
  },
});
const { pool, prisma } = sandbox.database;
const [context] = contexts;
if (context === undefined) throw new Error("the API has no context");

let parties: ConsoleParties;
beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  await addLiveCredential(sandbox, sandbox.access.merchant.client_id);
  const wallet = await prisma.account.findFirstOrThrow({
    where: { merchantId, mode: "sandbox", currency: "EUR", kind: "merchant" },
  });
  const moves: string[] = [];
  for (const [amount, at] of DEPOSITS) {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT move_between_wallets(made.id, mode, 'deposit', currency, account_of(mode, currency, 'funding'), a.id, $2, 'deposit ' || made.id), made.id
       FROM accounts a, gen_random_uuid() AS made (id) WHERE a.id = $1`,
      [wallet.id, amount],
    );
    moves.push(`UPDATE transfers SET created_at = '${at}' WHERE id = '${rows[0]?.id}'`);
  }
  await sandbox.plantRows(
    [
      "SET session_replication_role = replica",
      "UPDATE transfers SET created_at = '2025-01-01'",
      ...moves,
    ].join(";"),
  );
});
afterEach(async () => {
  await pool.query("DELETE FROM digest_mails");
  await pool.query("DELETE FROM monthly_report_subscriptions");
});

let added = 0;
const addMember = async (role: MemberRole = "finance") => {
  added += 1;
  const email = `member${added}@example.com`;
  return { email, id: await addConsoleUser(sandbox, email, merchantId, role) };
};
const consoleIn = (user: string, timeZone = PARIS) =>
  consoleClient(server, sessionTokenOf(user), { [TIME_ZONE_HEADER]: timeZone });
const turn = (user: string, enabled: boolean, timeZone?: string) =>
  consoleIn(user, timeZone).post(`/merchants/${merchantId}/monthly-report`, { enabled });
const subscribe = async (user: string, timeZone?: string) =>
  dataOf(consoleProfileResponseSchema, await turn(user, true, timeZone)).monthly_report;
/** Subscribes a member, and sets the next month to report. @param endsAt the end of the month */
async function subscribeSince(
  user: string,
  month: string,
  endsAt: string,
  timeZone: string = PARIS,
): Promise<void> {
  await subscribe(user, timeZone);
  await pool.query(
    "UPDATE monthly_report_subscriptions SET month = $2, month_ends_at = $3 WHERE user_id = $1",
    [user, month, endsAt],
  );
}
const OCTOBER = ["2025-10", "2025-10-31T23:00Z"] as const;
/** Returns the previous month in Paris, and a time two hours ago as its end. */
const lastMonth = () =>
  [
    addDays(`${toLocalDay(new Date(), PARIS).slice(0, 7)}-01`, -1).slice(0, 7),
    new Date(Date.now() - 2 * 3_600_000).toISOString(),
  ] as const;
const setEnd = (end: string) =>
  pool.query(`UPDATE monthly_report_subscriptions SET month_ends_at = now() - interval '${end}'`);
const monthOf = async (user: string) =>
  (await prisma.monthlyReportSubscription.findFirst({ where: { userId: user } }))?.month;
const queued = async () =>
  (await prisma.digestMail.findMany({ orderBy: { about: "asc" } })).map(({ address, about }) => [
    address,
    about.slice(merchantId.length + 1),
  ]);
/** Composes the queued e-mails about a month in the sandbox. */
const compose = async (month: string) => {
  const mails = await prisma.digestMail.findMany({ where: { about: { contains: `sandbox ${month}` } } });
  return Promise.all(mails.map(({ id }) => composeDigest(context, id)));
};

const startSending = (port: number) => {
  const smtp = parseSmtpUrl(`smtp://127.0.0.1:${port}`);
  if (smtp === undefined) throw new Error("the SMTP URL is invalid");
  const from = { name: "Tillgate", address: "notices@example.com" };
  const mailer = createMailer({ mail: { ...smtp, from, demandTls: false } });
  return startDigests({ ...context, log: pino({ level: "silent" }) }, mailer);
};
const waitUntilSettled = () =>
  waitUntil("no e-mail waits", async () => {
    const [total, waiting] = await Promise.all([
      prisma.digestMail.count(),
      prisma.digestMail.count({ where: { status: "waiting" } }),
    ]);
    return total > 0 && waiting === 0;
  });

describe("POST /merchants/{merchant}/monthly-report", () => {
  it("turns the member's report on, starting with the current month, and later off again", async () => {
    const { id } = await addMember();
    const [current] = new Intl.DateTimeFormat("sv", { timeZone: PARIS }).format().match(/^\d{4}-\d{2}/) ?? [];
    expect(await subscribe(id)).toEqual({ time_zone: PARIS, month: current });
    expect(await subscribe(id)).toEqual({ time_zone: PARIS, month: current });
    expect(await queueMonthlyReports(context)).toBe(0);
    const off = dataOf(consoleProfileResponseSchema, await turn(id, false));
    expect(off.monthly_report).toBeNull();
    expect((await turn(id, false)).status).toBe(200);
    expect((await consoleIn(id).post(`/merchants/${merchantId}/monthly-report`, {})).status).toBe(400);
  });

  it("changes the time zone without skipping a month that has not been reported yet", async () => {
    const { id } = await addMember();
    await subscribeSince(id, ...OCTOBER);
    expect(await subscribe(id, NEW_YORK)).toEqual({ time_zone: NEW_YORK, month: "2025-10" });
    const { monthEndsAt } = await prisma.monthlyReportSubscription.findFirstOrThrow();
    expect(monthEndsAt.toISOString()).toBe("2025-11-01T04:00:00.000Z");
  });

  it("stores a month and its end in the same time zone even if two requests turn the report on concurrently", async () => {
    const { id } = await addMember();
    const other = await pool.connect();
    await other.query("BEGIN");
    await other.query(
      `INSERT INTO monthly_report_subscriptions (user_id, merchant_id, time_zone, month, month_ends_at)
       VALUES ($1, $2, $3, $4, $5)`,
      [id, merchantId, NEW_YORK, ...OCTOBER],
    );
    const turned = subscribe(id);
    await waitUntil("the request waits for the other transaction", async () => {
      const { rowCount } = await pool.query("SELECT FROM pg_locks WHERE NOT granted");
      return rowCount !== null && rowCount > 0;
    });
    await other.query("COMMIT");
    other.release();
    const [month, end] = await turned.then(async (stored) => [
      stored?.month,
      (await prisma.monthlyReportSubscription.findFirstOrThrow()).monthEndsAt,
    ]);
    expect(month).toBe(toLocalDay(new Date(Number(end) - 1), PARIS).slice(0, 7));
  });

  it("shows each member only the member's own subscription", async () => {
    const [one, other] = [await addMember(), await addMember("owner")];
    await subscribe(one.id);
    const path = `/merchants/${merchantId}/profile`;
    const { monthly_report } = dataOf(consoleProfileResponseSchema, await consoleIn(other.id).get(path));
    expect(monthly_report).toBeNull();
  });

  it("is rejected for an administrator, who is not a member", async () => {
    expect(errorOf(await turn(parties.administrator, true)).status).toBe(403);
  });
});

describe("monthly report", () => {
  it.each([
    [PARIS, ...OCTOBER, "3.20"],
    [NEW_YORK, "2025-11", "2025-12-01T05:00Z", "6500.00"],
  ])(
    "contains the same totals for the month as the console, in %s",
    async (timeZone, month, endsAt, moneyIn) => {
      const { id, email } = await addMember();
      await subscribeSince(id, month, endsAt, timeZone);
      expect(await queueMonthlyReports(context)).toBe(1);
      const [mail] = await compose(month);
      expect(mail?.to).toBe(email);
      const { total } = dataOf(
        consoleReportMonthResponseSchema,
        await consoleIn(id, timeZone).get(`/merchants/${merchantId}/sandbox/reports/EUR/months/${month}`),
      );
      expect(total.credits).toBe(moneyIn);
      expect(mail?.text).toContain(
        [
          "EUR",
          `Opening balance: ${total.opening_balance} EUR`,
          `Money in: ${moneyIn} EUR`,
          `Money out: ${total.debits} EUR`,
          `Fees: ${total.fees} EUR`,
          `Closing balance: ${total.closing_balance} EUR`,
        ].join("\n"),
      );
      expect(mail?.text).toContain(timeZone);
    },
  );

  it("is sent even if the merchant is suspended", async () => {
    const { id, email } = await addMember();
    await subscribeSince(id, ...OCTOBER);
    await queueMonthlyReports(context);
    const setSuspended = (suspendedAt: Date | null) =>
      prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt } });
    await setSuspended(new Date());
    onTestFinished(async () => {
      await setSuspended(null);
    });
    expect(await compose("2025-10")).toEqual([expect.objectContaining({ to: email })]);
  });

  it("waits until the month is closed", async () => {
    const { id } = await addMember();
    await subscribe(id);
    await setEnd("59 minutes");
    expect(await queueMonthlyReports(context)).toBe(0);
    await setEnd("61 minutes");
    const payment = await pool.connect();
    await payment.query("BEGIN");
    await payment.query("SELECT FROM accounts WHERE merchant_id = $1 FOR NO KEY UPDATE", [merchantId]);
    expect(await queueMonthlyReports(context)).toBe(0);
    await payment.query("COMMIT");
    payment.release();
    expect(await queueMonthlyReports(context)).toBe(1);
  });

  it("is queued once per member, month and mode by several workers, even if the sent e-mails were pruned", async () => {
    const { id, email } = await addMember();
    const [month, end] = lastMonth();
    await subscribeSince(id, month, end);
    await Promise.all(Array.from({ length: 6 }, () => queueMonthlyReports(context)));
    expect(await queued()).toEqual([
      [email, `live ${month} ${PARIS}`],
      [email, `sandbox ${month} ${PARIS}`],
    ]);
    await pool.query("DELETE FROM digest_mails");
    expect(await queueMonthlyReports(context)).toBe(0);
  });

  it("is queued for every missed month, in order", async () => {
    const { id } = await addMember();
    await subscribeSince(id, ...OCTOBER, NEW_YORK);
    while ((await queueMonthlyReports(context)) > 0);
    const months = (await queued()).flatMap(([, about]) => about?.match(/(?<=live )\S+/)?.[0] ?? []);
    expect(months.slice(0, 3)).toEqual(["2025-10", "2025-11", "2025-12"]);
    expect(await monthOf(id)).toBe(
      new Intl.DateTimeFormat("sv", { timeZone: NEW_YORK }).format().slice(0, "2025-10".length),
    );
  });

  it("is sent once by two workers after a restart, even if the mail server was down at the first attempt", async () => {
    const { id, email } = await addMember();
    await subscribeSince(id, ...lastMonth());
    await queueMonthlyReports(context);
    const closed = await startMailServer();
    await closed.close();
    const before = startSending(closed.port);
    await waitUntil(
      "the e-mail is attempted",
      async () => (await prisma.digestMail.count({ where: { attempts: 1 } })) > 0,
    );
    await before.close();
    await pool.query("UPDATE digest_mails SET next_attempt_at = now()");
    const mailServer = await startMailServer();
    const workers = [1, 2].map(() => startSending(mailServer.port));
    try {
      await waitUntilSettled();
      expect(mailServer.received.map(({ to }) => to)).toEqual([[email]]);
    } finally {
      await Promise.all(workers.map((worker) => worker.close()));
      await mailServer.close();
    }
  });

  it("is not sent for a mode that has neither balances nor entries", async () => {
    const { id } = await addMember();
    await subscribeSince(id, ...OCTOBER);
    await queueMonthlyReports(context);
    const live = await prisma.digestMail.findFirstOrThrow({ where: { about: { contains: "live" } } });
    expect(await composeDigest(context, live.id)).toBeUndefined();
    expect(await compose("2025-10")).toEqual([expect.objectContaining({ attempts: 0 })]);
  });

  it.each([
    ["turned it off", (user: string) => turn(user, false)],
    [
      "lost the right to read reports",
      (user: string) =>
        prisma.consoleMember.updateMany({ where: { userId: user }, data: { role: "developer" } }),
    ],
    ["was removed", (user: string) => prisma.consoleMember.deleteMany({ where: { userId: user } })],
    [
      "was disabled",
      (user: string) => prisma.consoleUser.update({ where: { id: user }, data: { disabledAt: new Date() } }),
    ],
  ])("is not sent to a member who %s after it was queued", async (_what, change) => {
    const { id } = await addMember();
    await subscribeSince(id, ...OCTOBER);
    await queueMonthlyReports(context);
    await setEnd("-1 hour");
    expect(await compose("2025-10")).toEqual([expect.anything()]);
    await change(id);
    expect(await compose("2025-10")).toEqual([undefined]);
    const mailServer = await startMailServer();
    const worker = startSending(mailServer.port);
    try {
      await waitUntilSettled();
      expect(mailServer.received).toEqual([]);
    } finally {
      await worker.close();
      await mailServer.close();
    }
  });

  it("contains no data of another merchant", async () => {
    const { id } = await addMember();
    await subscribeSince(id, ...OCTOBER);
    await prisma.consoleMember.create({ data: { userId: id, merchantId: parties.otherId, role: "finance" } });
    await queueMonthlyReports(context);
    expect((await queued()).every(([, about]) => about?.endsWith(`2025-10 ${PARIS}`))).toBe(true);
    await pool.query("UPDATE digest_mails SET merchant_id = $1", [parties.otherId]);
    expect(await compose("2025-10")).toEqual([undefined]);
  });
});
