import {
  consolePayoutCreatedResponseSchema,
  consolePayoutListResponseSchema,
  consolePayoutResponseSchema,
  consolePeriodResponseSchema,
  consoleQuoteResponseSchema,
  consoleRefundListResponseSchema,
  consoleStatementResponseSchema,
  consoleTimelineResponseSchema,
  consoleTopUpResponseSchema,
  consoleWalletListResponseSchema,
  consoleWalletOpenedResponseSchema,
  lookupResponseSchema,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { createPaidOrder } from "../../support/orders.js";
import {
  addPartner,
  addRecipient,
  decidePayout,
  type Partner,
  type Recipient,
} from "../../support/partner.js";
import { errorOf } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";
import {
  addConsoleUser,
  addSecondFactor,
  type ConsoleClient,
  createConsoleParties,
  dataOf,
  merchantConsole,
} from "./console-client.js";

const { sandbox, server, api, merchantId } = await createTestApi();
const { prisma } = sandbox.database;
let shop: ConsoleClient;
let partner: Partner;
let recipient: Recipient;
let financeConsole: ConsoleClient;
let finance: string;

beforeAll(async () => {
  const { user } = await createConsoleParties(sandbox);
  shop = merchantConsole(server, { user, merchantId });
  partner = await addPartner(sandbox, { terms: { EUR: { reviewAbove: 5_000n } } });
  recipient = await addRecipient(sandbox);
  finance = await addConsoleUser(sandbox, "finance@example.com", partner.merchantId, "finance");
  await addSecondFactor(sandbox, finance);
  financeConsole = merchantConsole(server, { user: finance, merchantId: partner.merchantId });
});

describe("refunds in the console", () => {
  it("are found by reference, order ID, order reference and transaction ID, and have a timeline", async () => {
    const { orderId, trxId } = await createPaidOrder(server, api, { reference: "cart 9", amount: 20 });
    for (const amount of [1, 2, 3])
      await api.post("/refunds", { transaction_id: trxId, amount, reference: `RMA ${amount}` });
    const list = async (query: Record<string, string>) =>
      dataOf(consoleRefundListResponseSchema, await shop.get("/refunds", query)).items;
    for (const q of ["cart 9", orderId, trxId])
      expect((await list({ q })).map(({ money }) => money.amount)).toEqual(["3.00", "2.00", "1.00"]);
    const [second] = await list({ q: "RMA 2" });
    expect(second).toMatchObject({ order_id: orderId, transaction_id: trxId, status: "completed" });
    expect(await list({ min_amount: "2", status: "completed", per_page: "1" })).toHaveLength(1);
    const id = second?.refund_id ?? "";
    expect((await shop.get(`/refunds/${id}`)).status).toBe(200);
    const { entries } = dataOf(consoleTimelineResponseSchema, await shop.get(`/refunds/${id}/timeline`));
    expect(entries.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["refund.created", "refund.completed", "transfer", "event"]),
    );
    expect(entries.every(({ kind }) => !kind.startsWith("order"))).toBe(true);
  });
});

describe("POST /payouts/quote of the console", () => {
  it.each([
    ["above the per-transaction limit", { perTransaction: 1_000n }, 10.01, "per_transaction_limit_exceeded"],
    ["above the daily limit", { daily: 1_500n }, 10, "daily_limit_exceeded"],
    ["above the monthly limit", { monthly: 1_500n }, 10, "monthly_limit_exceeded"],
    ["above the balance, including the fee", {}, 100_000, "insufficient_balance"],
    ["in a currency that is not authorised", { authorized: false }, 1, "currency_not_authorized"],
  ])("rejects a payout %s before it is confirmed", async (_, terms, amount, code) => {
    const limited = await addPartner(sandbox, { terms: { EUR: {} } });
    const user = await addConsoleUser(sandbox, `${code}@example.com`, limited.merchantId, "finance");
    await addSecondFactor(sandbox, user);
    const theirs = merchantConsole(server, { user, merchantId: limited.merchantId });
    const price = async (of: number) => {
      const found = await theirs.post("/payouts/lookup", { email: recipient.email });
      const { lookup_token } = dataOf(lookupResponseSchema, found);
      const currencies = { sender_currency: "EUR", receiver_currency: "EUR" };
      return theirs.post("/payouts/quote", { lookup_token, amount: of, ...currencies });
    };
    // EUR 10.00 has been paid out today.
    const { quote_id } = dataOf(consoleQuoteResponseSchema, await price(10));
    const paid = { quote_id, reference: "first", idempotency_key: "first" };
    dataOf(consolePayoutCreatedResponseSchema, await theirs.post("/payouts", paid));
    await prisma.payoutTerms.updateMany({ where: { merchantId: limited.merchantId }, data: terms });
    const quotes = () => prisma.quote.count({ where: { merchantId: limited.merchantId } });
    const before = await quotes();
    const rejected = await price(amount);
    expect(rejected.body).toMatchObject({ error_code: code });
    expect([errorOf(rejected).status, await quotes()]).toEqual([
      code === "insufficient_balance" ? 422 : 400,
      before,
    ]);
    // Within every limit the quote succeeds.
    if (code !== "currency_not_authorized") dataOf(consoleQuoteResponseSchema, await price(5));
  });
});

describe("payouts in the console", () => {
  const quote = async (amount: number) => {
    const { lookup_token } = dataOf(
      lookupResponseSchema,
      await financeConsole.post("/payouts/lookup", { email: recipient.email }),
    );
    const fields = { lookup_token, amount, sender_currency: "EUR", receiver_currency: "EUR" };
    return dataOf(consoleQuoteResponseSchema, await financeConsole.post("/payouts/quote", fields));
  };

  it("are created once from a recipient lookup and a quote, in the user's name, with a link to their trace", async () => {
    const { quote_id, money, total } = await quote(12);
    expect([money.amount, total.amount]).toEqual(["12.00", "12.31"]);
    const fields = { quote_id, reference: "wages 1", description: "November", idempotency_key: "form 1" };
    const created = dataOf(consolePayoutCreatedResponseSchema, await financeConsole.post("/payouts", fields));
    expect(dataOf(consolePayoutCreatedResponseSchema, await financeConsole.post("/payouts", fields))).toEqual(
      created,
    );
    expect(created).toMatchObject({ status: "completed", reference: "wages 1", total });
    const page = dataOf(
      consolePayoutResponseSchema,
      await financeConsole.get(`/payouts/${created.payout_id}`),
    );
    expect(page.recipient).toEqual({
      name: "Noé Ŝ",
      email: expect.stringMatching(/^r•••@example\.com$/),
      phone: null,
    });
    // Pays the same recipient again without a phone number or e-mail address, while the recipient is active.
    const again = () => financeConsole.post(`/payouts/${created.payout_id}/lookup`);
    const found = dataOf(lookupResponseSchema, await again());
    const request = {
      lookup_token: found.lookup_token,
      amount: 1,
      sender_currency: "EUR",
      receiver_currency: "EUR",
    };
    expect((await financeConsole.post("/payouts/quote", request)).status).toBe(200);
    const activate = (active: boolean) =>
      prisma.walletUser.update({ where: { id: recipient.id }, data: { active } });
    await activate(false);
    expect((await again()).body).toMatchObject({ error_code: "recipient_not_found" });
    await activate(true);
    const records = await prisma.auditRecord.findMany({ where: { subject: created.payout_id } });
    expect(records).toMatchObject([{ action: "payout.create", administratorId: finance }]);
    const { entries } = dataOf(
      consoleTimelineResponseSchema,
      await financeConsole.get(`/payouts/${created.payout_id}/timeline`),
    );
    expect(entries.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["payout.created", "payout.completed", "transfer", "event", "action"]),
    );
    expect(entries.find(({ kind }) => kind === "action")).toMatchObject({
      user: "finance@example.com",
      action: "payout.create",
      request_id: expect.stringMatching(/^req_/),
    });

    expect(page.trace_url).toBe(null);
    // Only a traced process writes traceparent, which is immutable.
    const [trace, span] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
    await sandbox.executeAsSuperuser(
      `SET session_replication_role = replica; UPDATE payouts SET traceparent = '00-${trace}-${span}-01' WHERE id = '${created.payout_id}'`,
    );
    const environment = { TILLGATE_TRACE_PAGE: "https://traces.example/{trace_id}" };
    const showing = merchantConsole(await sandbox.startApi({ environment }), {
      user: finance,
      merchantId: partner.merchantId,
    });
    const traced = dataOf(consolePayoutResponseSchema, await showing.get(`/payouts/${created.payout_id}`));
    expect(traced.trace_url).toBe(`https://traces.example/${trace}`);
  });

  it("are pending above the review amount, and can be searched by recipient", async () => {
    const { quote_id } = await quote(60);
    const created = dataOf(
      consolePayoutCreatedResponseSchema,
      await financeConsole.post("/payouts", { quote_id, reference: "wages 2", idempotency_key: "form 2" }),
    );
    expect(created.status).toBe("pending");
    const byRecipient = dataOf(
      consolePayoutListResponseSchema,
      await financeConsole.get("/payouts", { q: recipient.email }),
    );
    expect(byRecipient.items.map(({ reference }) => reference)).toEqual(["wages 2", "wages 1"]);
    await decidePayout(sandbox, created.payout_id, false);
    const failed = dataOf(
      consolePayoutListResponseSchema,
      await financeConsole.get("/payouts", { status: "failed" }),
    );
    expect(failed.items.map(({ payout_id }) => payout_id)).toEqual([created.payout_id]);
    const { entries } = dataOf(
      consoleTimelineResponseSchema,
      await financeConsole.get(`/payouts/${created.payout_id}/timeline`),
    );
    expect(entries.map(({ kind, action }) => (kind === "transfer" ? action : kind))).toEqual([
      ...["payout.created", "hold", "action"],
      ...["payout.failed", "hold_return", "event", "action"],
    ]);
  });

  it("are rejected, and write nothing, if the Partner API is off, the merchant is suspended or the quote has expired; lookups have the Partner API's rate limit", async () => {
    const { quote_id } = await quote(1);
    const set = (data: object) => prisma.merchant.update({ where: { id: partner.merchantId }, data });
    const expectRejected = () =>
      expectNoWrites(sandbox, async () =>
        errorOf(await financeConsole.post("/payouts", { quote_id, reference: "no", idempotency_key: "no" })),
      );
    await set({ partnerApiEnabled: false });
    expect(await expectRejected()).toMatchObject({ status: 403 });
    await set({ partnerApiEnabled: true, suspendedAt: new Date() });
    expect(await expectRejected()).toMatchObject({ status: 403 });
    await set({ suspendedAt: null, partnerRequestsPerMinute: 1 });
    const lookUp = () => financeConsole.post("/payouts/lookup", { email: recipient.email });
    const statuses = (await Promise.all([lookUp(), lookUp(), lookUp()])).map(({ status }) => status);
    expect(statuses).toContain(429);
    await set({ partnerRequestsPerMinute: null });
    await prisma.quote.update({ where: { id: quote_id }, data: { expiresAt: new Date(0) } });
    expect((await expectRejected()).status).toBeGreaterThanOrEqual(400);
  });
});

describe("POST /payouts/lookup of the console", () => {
  it("rejects a phone number without a country code, with an error for the field", async () => {
    expect(errorOf(await financeConsole.post("/payouts/lookup", { phone: "0612345678" }))).toMatchObject({
      status: 400,
      fields: { phone: ["The phone field must be a phone number with its country code"] },
    });
  });
});

describe("wallets in the console", () => {
  it("can be topped up in the sandbox only, once per idempotency key, with an audit record", async () => {
    const top = { amount: "7.50", idempotency_key: "top 1" };
    const balance = async () =>
      dataOf(consoleWalletListResponseSchema, await financeConsole.get("/wallets")).wallets[0]?.balance
        .amount;
    const before = Number(await balance());
    const first = dataOf(consoleTopUpResponseSchema, await financeConsole.post("/wallets/EUR/top-up", top));
    expect(dataOf(consoleTopUpResponseSchema, await financeConsole.post("/wallets/EUR/top-up", top))).toEqual(
      first,
    );
    expect(Number(await balance())).toBe(before + 7.5);
    // The statement hides the internal reference with wallet and key.
    const { items } = dataOf(
      consoleStatementResponseSchema,
      await financeConsole.get("/wallets/EUR/statement"),
    );
    expect(items[0]).toMatchObject({ reference: "top-up", money: { amount: "7.50", currency: "EUR" } });
    expect(errorOf(await financeConsole.post("/wallets/EUR/top-up", { ...top, amount: 8 })).status).toBe(409);
    expect(
      errorOf(await financeConsole.post("/wallets/EUR/top-up", { amount: "0.001", idempotency_key: "x" }))
        .status,
    ).toBe(400);
    expect(errorOf(await financeConsole.post("/wallets/JPY/top-up", top)).status).toBe(404);
    const live = merchantConsole(server, { user: finance, merchantId: partner.merchantId, mode: "live" });
    expect(errorOf(await live.post("/wallets/EUR/top-up", top)).status).toBe(404);
    const records = await prisma.auditRecord.findMany({ where: { action: "wallet.top_up" } });
    expect(records).toMatchObject([{ administratorId: finance, merchantId: partner.merchantId }]);
  });

  it("can be opened by the merchant only in the sandbox, once per active currency", async () => {
    const openable = async (of = financeConsole) =>
      dataOf(consoleWalletListResponseSchema, await of.get("/wallets")).openable;
    const open = (currency: string, of = financeConsole) => of.post("/wallets", { currency });
    expect(await openable()).toEqual(expect.arrayContaining(["KWD"]));
    expect(await openable()).not.toContain("EUR");
    const opened = async () => dataOf(consoleWalletOpenedResponseSchema, await open("KWD")).opened;
    expect([await opened(), await opened()]).toEqual([true, false]);
    expect(await openable()).not.toContain("KWD");
    await prisma.currency.update({ where: { code: "KWD" }, data: { active: false } });
    const closing = { merchantId: partner.merchantId, mode: "sandbox", currency: "KWD" } as const;
    await prisma.account.updateMany({ where: closing, data: { closedAt: new Date() } });
    expect(await openable()).not.toContain("KWD");
    for (const currency of ["KWD", "NONE", "", "X".repeat(11)])
      expect([currency, (await open(currency)).status >= 400]).toEqual([currency, true]);
    await prisma.currency.update({ where: { code: "KWD" }, data: { active: true } });
    const live = merchantConsole(server, { user: finance, merchantId: partner.merchantId, mode: "live" });
    expect(await openable(live)).toEqual([]);
    expect(errorOf(await open("KWD", live)).status).toBe(404);
    const records = await prisma.auditRecord.findMany({ where: { action: "wallet.open" } });
    expect(records).toMatchObject([{ administratorId: finance, merchantId: partner.merchantId }]);
  });

  it("have a statement with the same balances on all pages, in CSV and camt.053 exports, and in the printable statement of a period", async () => {
    const read = async (query: Record<string, string> = {}) =>
      dataOf(consoleStatementResponseSchema, await financeConsole.get("/wallets/EUR/statement", query));
    const all = (await read({ per_page: "100" })).items;
    expect(all.map(({ kind }) => kind)).toEqual(["deposit", "hold_return", "hold", "payout", "deposit"]);
    const balances = all.map(({ balance }) => Number(balance.amount));
    for (const [at, { money }] of all.entries())
      expect(balances[at]).toBeCloseTo((balances[at + 1] ?? 0) + Number(money.amount), 5);
    const pages = [await read({ per_page: "2" })];
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next ?? null)
      pages.push(await read({ per_page: "2", before: next }));
    expect(pages.flatMap(({ items }) => items)).toEqual(all);
    const back = await read({ per_page: "2", after: pages[1]?.previous ?? "" });
    expect(back.items).toEqual(all.slice(0, 2));
    expect(back.previous).toBe(null);
    const exported = async (query: Record<string, string> = {}) => {
      const { text, headers } = await financeConsole.get("/wallets/EUR/statement.csv", query);
      const rows = text.trim().split("\r\n").slice(1);
      expect(headers.get("x-tillgate-total")).toBe(String(rows.length));
      return rows.map((row) => row.split(",").slice(3, 6));
    };
    const oldest = all.toReversed().map(({ kind, money, balance }) => [kind, money.amount, balance.amount]);
    expect(await exported()).toEqual(oldest);
    const today = new Date().toISOString().slice(0, 10);
    expect(await exported({ from: today, to: today })).toEqual(oldest);
    expect(await exported({ to: "2020-01-01" })).toEqual([]);
    expect(await exported({ from: "2999-01-01" })).toEqual([]);
    expect(errorOf(await financeConsole.get("/wallets/JPY/statement.csv")).status).toBe(404);
    const { text: camt, headers } = await financeConsole.get("/wallets/EUR/statement.xml", { to: today });
    expect(headers.get("content-disposition")).toContain("statement.xml");
    const texts = (pattern: RegExp) => [...camt.matchAll(pattern)].map(([, ...found]) => found.join(" "));
    const entry = /<NtryRef>\d+<\/NtryRef><Amt Ccy="EUR">([\d.]+)<\/Amt><CdtDbtInd>(\w+)</g;
    expect(texts(entry)).toEqual(
      all
        .toReversed()
        .map(({ money: { amount } }) =>
          amount.startsWith("-") ? `${amount.slice(1)} DBIT` : `${amount} CRDT`,
        ),
    );
    const booked = /<Cd>(OPBD|CLBD)<\/Cd><\/CdOrPrtry><\/Tp><Amt Ccy="EUR">([\d.]+)</g;
    expect(texts(booked)).toEqual(["OPBD 0.00", `CLBD ${all[0]?.balance.amount}`]);
    expect(texts(/<EndToEndId>(wages 1)</g)).toEqual(["wages 1"]);
    expect(errorOf(await financeConsole.get("/wallets/JPY/statement.xml")).status).toBe(404);
    const reversed = { from: "2026-02-02", to: "2026-02-01" };
    for (const file of ["statement.csv", "statement.xml", "statement/period"])
      expect(errorOf(await financeConsole.get(`/wallets/EUR/${file}`, reversed)).status).toBe(400);
    const period = async (query: Record<string, string> = {}) => {
      const { items, opening, closing, total } = dataOf(
        consolePeriodResponseSchema,
        await financeConsole.get("/wallets/EUR/statement/period", query),
      );
      return { items, total, sums: [opening.amount, closing.amount] };
    };
    const now = all[0]?.balance.amount ?? "";
    const whole = { items: all.toReversed(), total: all.length, sums: ["0.00", now] };
    expect(await period()).toEqual(whole);
    expect(await period({ from: today, to: today })).toEqual(whole);
    expect(await period({ to: "2020-01-01" })).toEqual({ items: [], total: 0, sums: ["0.00", "0.00"] });
    expect(await period({ from: "2999-01-01" })).toEqual({ items: [], total: 0, sums: [now, now] });
    expect(errorOf(await financeConsole.get("/wallets/EUR/statement/period", { from: "soon" })).status).toBe(
      400,
    );
    expect(errorOf(await financeConsole.get("/wallets/JPY/statement/period")).status).toBe(404);
    const forged = pages[0]?.next?.replace(/\.\d+\./, ".1.") ?? "";
    expect(errorOf(await financeConsole.get("/wallets/EUR/statement", { before: forged })).status).toBe(400);
    expect(all[3]).toMatchObject({ payout_id: expect.stringMatching(/^PO/), reference: "wages 1" });
  });
});
