import {
  AUDIT_EXPORT_COLUMNS,
  administratorListResponseSchema,
  administratorRequestedResponseSchema,
  approvalsResponseSchema,
  auditCheckResponseSchema,
  auditListResponseSchema,
  changedResponseSchema,
  confirmationsCheckResponseSchema,
  currencyListResponseSchema,
  currencyResponseSchema,
  decisionResponseSchema,
  feeListResponseSchema,
  fundsResponseSchema,
  healthResponseSchema,
  limitListResponseSchema,
  merchantCreatedResponseSchema,
  merchantListResponseSchema,
  merchantResponseSchema,
  pinResponseSchema,
  rateListResponseSchema,
  ratesSetResponseSchema,
  shopperListResponseSchema,
  shopperResponseSchema,
  singleLimitResponseSchema,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { verifyConfirmations } from "../../../src/checkout/verify-confirmations.js";
import { addPartner, addRecipient, lookUpRecipient, partnerApi } from "../../support/partner.js";
import { errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  addSecondFactor,
  type ConsoleClient,
  type ConsoleParties,
  consoleClient,
  createConsoleParties,
  dataOf,
  sessionTokenOf,
  signInUser,
} from "./console-client.js";

const { sandbox, server, merchantId } = await createTestApi();
const { prisma, pool } = sandbox.database;
let parties: ConsoleParties;
let first: ConsoleClient;
let second: ConsoleClient;
let secondEmail: string;

const administration = (user: string): ConsoleClient => {
  const edge = consoleClient(server, sessionTokenOf(user));
  return {
    get: (path, query) => edge.get(`/administration${path}`, query),
    post: (path, fields) => edge.post(`/administration${path}`, fields),
  };
};

beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  first = administration(parties.administrator);
  const { id, email } = await prisma.consoleUser.findFirstOrThrow({
    where: { role: "administrator", id: { not: parties.administrator } },
  });
  secondEmail = email;
  await signInUser(sandbox, id);
  await addSecondFactor(sandbox, id);
  second = administration(id);
});

const actions = async (subject: string) =>
  (await prisma.auditRecord.findMany({ where: { subject }, orderBy: { id: "asc" } })).map(
    ({ action }) => action,
  );

const exportedAudit = z.array(
  z.object({
    record_id: z.string(),
    merchant_id: z.string().nullable(),
    action: z.string(),
    previous_hash: z.string(),
    hash: z.string(),
  }),
);

describe("POST /administration/merchants", () => {
  it("creates a merchant that can be found, changed and given wallets, and invites its first owner", async () => {
    const fields = { name: "Café Ŝ", owner_email: "owner@example.com" };
    const created = dataOf(merchantCreatedResponseSchema, await first.post("/merchants", fields));
    const link = await prisma.consoleLink.findUniqueOrThrow({ where: { id: created.invitation_id } });
    expect(link).toMatchObject({
      merchantId: created.merchant_id,
      role: "owner",
      email: "owner@example.com",
    });
    const found = dataOf(merchantListResponseSchema, await first.get("/merchants", { search: "café ŝ" }));
    expect(found.merchants.map(({ merchant_id }) => merchant_id)).toEqual([created.merchant_id]);
    const path = `/merchants/${created.merchant_id}`;
    const changes = {
      suspended: true,
      partner_api: true,
      pay_requests_per_minute: 90,
      notice_email: "ops@example.com",
    };
    expect(dataOf(merchantResponseSchema, await first.post(path, changes))).toMatchObject({
      suspended_at: expect.any(String),
      partner_api: true,
      refunds_need_approval: false,
      pay_requests_per_minute: 90,
      notice_email: "ops@example.com",
    });
    expect(
      dataOf(merchantResponseSchema, await first.post(path, { suspended: false })).suspended_at,
    ).toBeNull();
    const setWallet = async (open: boolean) =>
      dataOf(
        changedResponseSchema,
        await first.post(`${path}/wallets`, { mode: "sandbox", currency: "EUR", open }),
      ).changed;
    expect([await setWallet(true), await setWallet(true)]).toEqual([true, false]);
    expect([await setWallet(false), await setWallet(false)]).toEqual([true, false]);
    expect(dataOf(merchantResponseSchema, await first.get(path)).wallets).toMatchObject([{ closed: true }]);
    await setWallet(true);
    expect(dataOf(merchantResponseSchema, await first.get(path)).wallets).toMatchObject([
      { mode: "sandbox", currency: "EUR", balance: { amount: "0.00" }, closed: false },
    ]);
    expect(await actions(created.merchant_id)).toEqual([
      "merchant.create",
      "merchant.suspend",
      "merchant.partner_api",
      "merchant.rate_limits",
      "merchant.notice_email",
      "merchant.resume",
    ]);
    expect(errorOf(await first.post(path, { pay_requests_per_minute: 0 })).texts).toEqual([
      "A rate limit must be a whole number from 1 to 1000000.",
    ]);
    expect((await first.get("/merchants/00000000-0000-4000-8000-000000000000")).status).toBe(404);
  });

  it("creates no merchant if its owner cannot be invited", async () => {
    await sandbox.executeAsSuperuser(
      "ALTER TABLE console_links ADD CONSTRAINT test_fails CHECK (kind <> 'invitation') NOT VALID",
    );
    const fields = { name: "Café Ĝ", owner_email: "owner@example.com" };
    const { status } = await first.post("/merchants", fields);
    await sandbox.executeAsSuperuser("ALTER TABLE console_links DROP CONSTRAINT test_fails");
    expect(status).toBe(500);
    expect(await prisma.merchant.count({ where: { name: fields.name } })).toBe(0);
  });
});

describe("POST /administration/approvals", () => {
  it("decides a payout once, even when two administrators decide concurrently", async () => {
    const partner = await addPartner(sandbox, { terms: { EUR: { reviewAbove: 100n } } });
    const partners = partnerApi(server, partner.token);
    await partners.post("/payout", {
      lookup_token: await lookUpRecipient(partners, await addRecipient(sandbox)),
      amount: 20,
      sender_currency: "EUR",
      receiver_currency: "EUR",
      reference: "waits",
      idempotency_key: "waits",
    });
    const { payouts } = dataOf(approvalsResponseSchema, await first.get("/approvals"));
    expect(payouts).toMatchObject([{ reference: "waits", money: { amount: "20.00", currency: "EUR" } }]);
    const id = payouts[0]?.payout_id ?? "";
    const decide = (by: ConsoleClient) =>
      by.post(`/approvals/payouts/${id}`, { approve: true, reason: "Known" });
    const both = await Promise.all([decide(first), decide(second)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await actions(id)).toEqual(["payout.approve"]);
    expect(dataOf(approvalsResponseSchema, await first.get("/approvals")).payouts).toEqual([]);
  });

  it("requires another administrator for a live deposit above the single-approver limit", async () => {
    await prisma.account.create({
      data: { merchantId, mode: "live", currency: "EUR", kind: "merchant", balance: 0n },
    });
    const fields = {
      kind: "deposit",
      mode: "live",
      currency: "EUR",
      merchant: merchantId,
      amount: "500",
      reference: "bank 1",
    };
    const requested = dataOf(fundsResponseSchema, await first.post("/funds", fields));
    expect(requested.outcome).toBe("requested");
    const { requests } = dataOf(approvalsResponseSchema, await second.get("/approvals"));
    expect(requests).toMatchObject([
      { request_id: requested.id, kind: "deposit", money: { amount: "500.00" } },
    ]);
    const path = `/approvals/requests/${requested.id}`;
    expect(errorOf(await first.post(path, { approve: true })).status).toBe(403);
    expect(dataOf(decisionResponseSchema, await second.post(path, { approve: true })).status).toBe(
      "approved",
    );
    expect(dataOf(fundsResponseSchema, await first.post("/funds", fields)).outcome).toBe("repeated");
    expect(errorOf(await first.post("/funds", { ...fields, merchant: undefined })).texts).toEqual([
      "Specify either a merchant or a wallet user.",
    ]);
  });

  it("splits a new administrator's password between requester and approver", async () => {
    const requested = dataOf(
      administratorRequestedResponseSchema,
      await first.post("/administrators", { email: "third@example.com" }),
    );
    expect(requested).toMatchObject({ outcome: "requested", password: expect.stringMatching(/./) });
    const decided = dataOf(
      decisionResponseSchema,
      await second.post(`/approvals/requests/${requested.id}`, { approve: true }),
    );
    expect(decided.password_half).toMatch(/./);
    expect(decided.password_half).not.toBe(requested.password);
    const listed = dataOf(administratorListResponseSchema, await first.get("/administrators"));
    expect(listed.administrators.map(({ email }) => email)).toContain("third@example.com");
    const disable = { email: "third@example.com" };
    expect(dataOf(changedResponseSchema, await first.post("/administrators/disable", disable)).changed).toBe(
      true,
    );
  });
});

describe("administration: pricing", () => {
  it("adds and deactivates currencies, and requests a higher single-approver limit", async () => {
    const added = dataOf(
      currencyResponseSchema,
      await first.post("/currencies", { code: "NOK", name: "Krone" }),
    );
    expect(added).toMatchObject({ code: "NOK", digits: 2, active: true });
    expect(errorOf(await first.post("/currencies", { code: "NOK", name: "Krone" }))).toEqual({
      status: 409,
      texts: ["Currency NOK already exists."],
    });
    const off = dataOf(currencyResponseSchema, await first.post("/currencies/NOK", { active: false }));
    expect(off.active).toBe(false);
    const raised = dataOf(
      singleLimitResponseSchema,
      await first.post("/currencies/NOK/single-limit", { amount: "10" }),
    );
    expect(raised).toMatchObject({ outcome: "requested", limit: { amount: "10.00", currency: "NOK" } });
    const { currencies } = dataOf(currencyListResponseSchema, await first.get("/currencies"));
    expect(currencies.find(({ code }) => code === "NOK")?.active).toBe(false);
  });

  it("sets and imports rates, keeps their history, and reports a file's invalid lines", async () => {
    const rate = { base: "EUR", quote: "USD", rate: "1.25", spread_percent: "1" };
    dataOf(ratesSetResponseSchema, await first.post("/rates/live", rate));
    const csv = "base,quote,rate\nEUR,USD,1.3\nUSD,EUR,0.7";
    expect(dataOf(ratesSetResponseSchema, await first.post("/rates/live/import", { csv })).rates).toBe(2);
    const { rates } = dataOf(rateListResponseSchema, await first.get("/rates/live", { past: "true" }));
    expect(rates.filter(({ base }) => base === "EUR").map((item) => [item.rate, item.standing])).toEqual([
      ["1.3", "in effect"],
      ["1.25", "past"],
    ]);
    const wrong = errorOf(
      await first.post("/rates/live/import", { csv: "base,quote,rate\nEUR,USD,x\nEUR,EUR,1" }),
    );
    expect(wrong).toMatchObject({
      status: 422,
      texts: [
        expect.stringMatching(/^2 of 2 lines/),
        expect.stringMatching(/^Line 2/),
        expect.stringMatching(/^Line 3/),
      ],
    });
    expect(errorOf(await first.get("/rates/test")).status).toBe(404);
  });

  it("sets and removes a merchant's fees, and sets a merchant's limits", async () => {
    const fee = { mode: "live", currency: "EUR", merchant: merchantId, fixed: "0.5", percent: "1.5" };
    expect((await first.post("/fees", fee)).status).toBe(200);
    const fees = async () => dataOf(feeListResponseSchema, await first.get("/fees")).fees;
    expect(await fees()).toContainEqual({
      mode: "live",
      merchant: sandbox.access.merchant.name,
      fixed: { amount: "0.50", currency: "EUR" },
      percent: "1.5",
    });
    expect((await first.post("/fees", { ...fee, fixed: undefined, percent: undefined })).status).toBe(200);
    expect((await fees()).filter(({ mode, merchant }) => mode === "live" && merchant !== null)).toEqual([]);
    const limits = {
      merchant: merchantId,
      mode: "live",
      currency: "EUR",
      authorized: true,
      daily: "100",
      monthly: null,
    };
    expect(dataOf(changedResponseSchema, await first.post("/limits", limits)).changed).toBe(true);
    expect(dataOf(changedResponseSchema, await first.post("/limits", limits)).changed).toBe(false);
    const listed = dataOf(
      limitListResponseSchema,
      await first.get("/limits", { merchant: merchantId }),
    ).limits;
    expect(listed.find(({ mode, currency }) => mode === "live" && currency === "EUR")).toMatchObject({
      authorized: true,
      daily: { amount: "100.00" },
      monthly: null,
    });
  });
});

describe("administration: shoppers", () => {
  it("can be found, deactivated and given a new PIN", async () => {
    const email = sandbox.access.shoppers[0]?.email ?? "";
    const { shoppers } = dataOf(
      shopperListResponseSchema,
      await first.get("/shoppers/sandbox", { search: email }),
    );
    const id = shoppers[0]?.user_id ?? "";
    const page = dataOf(shopperResponseSchema, await first.get(`/shoppers/sandbox/${email}`));
    expect(page).toMatchObject({ user_id: id, active: true });
    expect(page.wallets.length).toBeGreaterThan(0);
    const path = `/shoppers/sandbox/${id}`;
    const deactivate = async () =>
      dataOf(changedResponseSchema, await first.post(path, { active: false })).changed;
    expect([await deactivate(), await deactivate()]).toEqual([true, false]);
    await first.post(path, { active: true });
    const { pin } = dataOf(pinResponseSchema, await first.post(`${path}/reset-pin`));
    expect(pin).toMatch(/^\d{6}$/);
    expect(server.logs()).not.toContain(`"${pin}"`);
    expect(await actions(id)).toEqual(["user.deactivate", "user.activate", "user.reset_pin"]);
    expect((await first.get(`/shoppers/live/${id}`)).status).toBe(404);
  });
});

describe("POST /administration/shoppers", () => {
  const make = (fields: object) => first.post("/shoppers/live", fields);

  it("creates a shopper with an audit record, a PIN that is not logged, and wallets that can be opened and, if empty, closed", async () => {
    const fields = { name: "Zoé", phone: "+33 6 45 45 45 45", email: null, currencies: ["EUR", "XAF"] };
    const { user_id: id, pin } = dataOf(pinResponseSchema, await make(fields));
    expect(pin).toMatch(/^\d{6}$/);
    expect(server.logs()).not.toContain(`"${pin}"`);
    const path = `/shoppers/live/${id}`;
    const shopper = async () => dataOf(shopperResponseSchema, await first.get(path));
    expect(await shopper()).toMatchObject({ name: "Zoé", phone: "+33645454545", email: null, active: true });
    const setWallet = async (currency: string, open: boolean) =>
      dataOf(changedResponseSchema, await first.post(`${path}/wallets`, { currency, open })).changed;
    expect([await setWallet("USD", true), await setWallet("XAF", false)]).toEqual([true, true]);
    expect(
      (await shopper()).wallets.map(({ currency, closed_at }) => [currency, closed_at === null]),
    ).toEqual([
      ["EUR", true],
      ["USD", true],
      ["XAF", false],
    ]);
    expect(await actions(id)).toEqual(["user.create"]);
    const deposit = {
      kind: "deposit",
      mode: "live",
      currency: "EUR",
      user: id,
      amount: "1",
      reference: "gift",
    };
    const requested = dataOf(fundsResponseSchema, await first.post("/funds", deposit));
    await second.post(`/approvals/requests/${requested.id}`, { approve: true });
    expect(errorOf(await first.post(`${path}/wallets`, { currency: "EUR", open: false }))).toMatchObject({
      status: 409,
      texts: ["The wallet is not empty."],
    });
    expect((await make({ ...fields, name: "Another" })).status).toBe(409);
  });

  it("rejects an invalid name, contact or currency, and a missing contact", async () => {
    const count = () => prisma.walletUser.count();
    const before = await count();
    for (const fields of [
      { name: "" },
      { name: "N".repeat(121), email: "n@example.com" },
      { name: "N" },
      { name: "N", phone: "12" },
      { name: "N", email: "n" },
      { name: "N", email: "n@example.com", currencies: ["NONE"] },
      { name: "N", email: "n@example.com", currencies: Array.from({ length: 21 }, () => "EUR") },
    ]) {
      const { status } = await make(fields);
      expect([JSON.stringify(fields).slice(0, 60), status >= 400 && status < 500]).toEqual([
        JSON.stringify(fields).slice(0, 60),
        true,
      ]);
    }
    expect(await count()).toBe(before);
    expect((await make({ name: "N".repeat(120), email: "n@example.com" })).status).toBe(200);
  });
});

describe("administration: oversight", () => {
  it("exports the filtered audit records oldest first, with the hashes that link them into chains", async () => {
    const asJson = async (query: Record<string, string> = {}) => {
      const { status, text, headers } = await first.get("/audit.json", query);
      expect(status).toBe(200);
      const rows = exportedAudit.parse(JSON.parse(text));
      expect(headers.get("x-tillgate-total")).toBe(String(rows.length));
      return rows;
    };
    const all = await asJson();
    expect(all.length).toBe(await prisma.auditRecord.count());
    expect(all.map(({ record_id }) => Number(record_id))).toEqual(
      all.map(({ record_id }) => Number(record_id)).toSorted((a, b) => a - b),
    );
    const ends = new Map<string | null, string>();
    for (const { merchant_id: chain, previous_hash, hash } of all) {
      const end = ends.get(chain);
      if (end !== undefined) expect(previous_hash).toBe(end);
      ends.set(chain, hash);
    }
    const mine = await asJson({ action: "user.create", by: secondEmail });
    expect(mine).toEqual([]);
    expect((await asJson({ action: "user." })).every(({ action }) => action.startsWith("user."))).toBe(true);
    const { text } = await first.get("/audit.csv", { action: "user.create" });
    const [head, ...rows] = text.trim().split("\r\n");
    expect(head).toBe(AUDIT_EXPORT_COLUMNS.join(",").replace(",at,", ",at,at_offset,"));
    expect(rows.length).toBe((await asJson({ action: "user.create" })).length);
    expect((await first.get("/audit.csv", { merchant: "nobody" })).status).toBe(404);
  });

  it("pages through audit records, filters them by action, author and merchant, and verifies the chains", async () => {
    const list = async (query: Record<string, string>) =>
      dataOf(auditListResponseSchema, await first.get("/audit", query));
    const all = await list({ per_page: "100" });
    const pages = [await list({ per_page: "7" })];
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next ?? null)
      pages.push(await list({ per_page: "7", before: next }));
    expect(pages.flatMap(({ records }) => records).slice(0, 100)).toEqual(all.records);
    const decided = await list({ action: "wallet.", by: secondEmail.toUpperCase() });
    expect(decided.records.length).toBeGreaterThan(0);
    for (const { action, by } of decided.records)
      expect([action, by]).toEqual(["wallet.deposit.approve", secondEmail]);
    expect(
      (await list({ merchant: merchantId })).records.every(
        ({ merchant }) => merchant === sandbox.access.merchant.name,
      ),
    ).toBe(true);
    const proof = dataOf(
      auditCheckResponseSchema,
      await first.get("/audit/check", { noted: all.records[0]?.hash ?? "" }),
    );
    expect(proof).toMatchObject({ sound: true, violations: [], found_noted: true });
    expect(proof.chains.length).toBeGreaterThan(1);
    const cutOff = dataOf(
      auditCheckResponseSchema,
      await first.get("/audit/check", { noted: "0".repeat(64) }),
    );
    expect(cutOff).toMatchObject({ sound: false, found_noted: false });
  });

  it("returns the result of verifying passkey confirmations", async () => {
    const { violations, ...proof } = await verifyConfirmations(server.context);
    expect(dataOf(confirmationsCheckResponseSchema, await first.get("/audit/confirmations"))).toEqual({
      ...proof,
      violations,
    });
    const order = "x".repeat(65);
    expect(errorOf(await first.get("/audit/confirmations", { order })).status).toBe(400);
    expect((await first.get("/audit/confirmations", { order: order.slice(1) })).status).toBe(200);
  });

  it("includes failing endpoints, the backup's error and pending requests in the system's health", async () => {
    await pool.query(
      `INSERT INTO receivers (id, mode, merchant_id, address, events, secret_ciphertext, encryption_key_id, failures_in_row, failing_since)
       VALUES (gen_random_uuid(), 'live', $1, 'https://down.example/', '{pos.order.paid}', '', 'x', 9, now())`,
      [merchantId],
    );
    await pool.query("INSERT INTO backup_reports (id, error) VALUES (gen_random_uuid(), 'no room')");
    const health = dataOf(healthResponseSchema, await first.get("/health"));
    expect(health).toMatchObject({
      database_trouble: null,
      backup: { error: "no room", proved_at: null },
      archiving: null,
      overdue_orders: 0,
      endpoints: [
        { address: "https://down.example/", failures_in_row: 9, merchant: sandbox.access.merchant.name },
      ],
      waiting: { payouts: 0, refunds: 0, requests: 1 },
    });
  });
});
