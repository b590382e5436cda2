import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  confirmSignUpResponseSchema,
  consoleMeResponseSchema,
  readInvitationResponseSchema,
  readSignUpResponseSchema,
  signUpOpenResponseSchema,
  signUpResponseSchema,
} from "@tillgate/contract";
import { hashSecret } from "@tillgate/database";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createFileMailer } from "../../../src/mail/mailer.js";
import { startLinkMails } from "../../../src/mail/send-links.js";
import { errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";
import { consoleClient, dataOf } from "./console-client.js";

const SIGN_UP_ENABLED = {
  TILLGATE_SANDBOX_SIGN_UP: "open",
  TILLGATE_CONSOLE_URL: "https://console.example.test",
};
const folder = await mkdtemp(path.join(tmpdir(), "tillgate-mails-"));
afterAll(() => rm(folder, { recursive: true }));
const { sandbox, server, merchantId } = await createTestApi({
  environment: { ...SIGN_UP_ENABLED, TILLGATE_MAIL_FOLDER: folder },
});
/** An API that sends e-mails and allows two sign-ins or sign-ups a minute per address. */
const mailingApi = await sandbox.startApi({
  environment: {
    ...SIGN_UP_ENABLED,
    TILLGATE_SMTP_URL: "smtp://127.0.0.1:2525",
    TILLGATE_MAIL_FROM: "notices@example.com",
    TILLGATE_SIGN_INS_PER_MINUTE: "2",
  },
});
const { prisma, pool } = sandbox.database;
const EMAIL = "new.owner@example.com";
const PASSWORD = "a password of the new owner";
const NEXT = "/connect?platform=woocommerce&shop_name=Kiln";
const NOT_VALID = { status: 404, texts: ["This link is no longer valid. Request a new one."] };
const edge = consoleClient(server);

beforeEach(async () => {
  await prisma.consoleLink.deleteMany();
  for (const file of await readdir(folder)) await rm(path.join(folder, file));
});

const requestSignUp = (email = EMAIL, next?: string) =>
  edge.post("/sign-up", { email, ...(next ? { next } : {}) });
const tokenOf = async (email = EMAIL, next?: string) =>
  dataOf(signUpResponseSchema, await requestSignUp(email, next)).token ?? "";
const read = (token: string) => edge.post("/sign-up/link", { token });
const confirm = (token: string, fields: object = {}) =>
  edge.post("/sign-up/confirm", { token, shop_name: " Kiln & Co ", password: PASSWORD, ...fields });
const ageLinks = (seconds: number) =>
  pool.query(
    "UPDATE console_links SET expires_at = expires_at - $1::int * interval '1 second', created_at = created_at - $1::int * interval '1 second'",
    [seconds],
  );
const merchants = () => prisma.merchant.count();

describe("sign-up link", () => {
  it("creates a sandbox account once, with audit records, signs its owner in and returns the next page", async () => {
    const requested = dataOf(signUpResponseSchema, await requestSignUp(` ${EMAIL.toUpperCase()}`, NEXT));
    const stored = JSON.stringify((await pool.query("SELECT l::text FROM console_links l")).rows);
    const mails = startLinkMails(server.context, createFileMailer(folder));
    const [file = ""] = await waitUntil("an e-mail is written", async () => {
      const waiting = await prisma.consoleLink.count({ where: { tokenCiphertext: { not: null } } });
      return waiting === 0 && readdir(folder);
    });
    await mails.close();
    const mail = await readFile(path.join(folder, file), "utf8");
    expect(mail).toMatch(new RegExp(`^To: ${EMAIL}\nSubject: Create your Tillgate sandbox account\n`));
    const [, token = ""] = /https:\/\/console\.example\.test\/new-account\?token=(\S+)/.exec(mail) ?? [];
    expect(requested).toEqual({ token });
    expect(stored).not.toContain(token);
    expect(dataOf(readSignUpResponseSchema, await read(token))).toEqual({
      email: EMAIL,
      has_user: false,
      next: NEXT,
    });

    const before = await merchants();
    const both = await Promise.all([confirm(token), confirm(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await merchants()).toBe(before + 1);
    for (const again of [await confirm(token), await read(token)]) expect(errorOf(again)).toEqual(NOT_VALID);

    const created = both.find(({ status }) => status === 200);
    if (!created) throw new Error("no account was created");
    const { session, state, next } = dataOf(confirmSignUpResponseSchema, created);
    expect([state, next]).toEqual(["signed_in", NEXT]);
    const me = dataOf(consoleMeResponseSchema, await consoleClient(server, session).get("/me"));
    const [own] = me.merchants;
    expect(me).toMatchObject({
      user: { email: EMAIL, role: "merchant" },
      merchants: [{ name: "Kiln & Co", role: "owner" }],
      second_factor: { totp: false, passkeys: [], fresh_until: null },
    });
    const merchantId = own?.merchant_id ?? "";
    const records = await prisma.auditRecord.findMany({ where: { merchantId }, orderBy: { number: "asc" } });
    const active = await prisma.currency.findMany({ where: { active: true }, orderBy: { code: "asc" } });
    expect(records.map(({ action, administrator }) => [action, administrator])).toEqual(
      ["console_user.signed_up", ...active.map(() => "wallet.open")].map((action) => [action, EMAIL]),
    );
    const wallets = await prisma.account.findMany({
      where: { OR: [{ merchantId }, { walletUser: { testOfMerchantId: merchantId } }] },
      select: { mode: true, kind: true, currency: true },
    });
    // Each merchant wallet has a hold account. Live mode has no wallets.
    const kinds = ["merchant", "shopper", "hold"];
    const wanted = kinds.flatMap((kind) => active.map(({ code }) => `sandbox ${kind} ${code}`));
    expect(wallets.map(({ mode, kind, currency }) => `${mode} ${kind} ${currency}`).sort()).toEqual(
      wanted.sort(),
    );
    for (const secret of [token, PASSWORD, session]) expect(server.logs()).not.toContain(secret);
  });

  it("requires the new owner to set up a second factor before creating credentials", async () => {
    const { session } = dataOf(
      confirmSignUpResponseSchema,
      await confirm(await tokenOf("careful@example.com")),
    );
    const owner = consoleClient(server, session);
    const [own] = dataOf(consoleMeResponseSchema, await owner.get("/me")).merchants;
    const { status, texts } = errorOf(await owner.post(`/merchants/${own?.merchant_id}/sandbox/credentials`));
    expect({ status, texts }).toEqual({ status: 403, texts: ["Set up a second factor first"] });
  });

  it("expires after 30 minutes, or when another link to the same address is used", async () => {
    const email = "slow@example.com";
    const first = await tokenOf(email);
    await ageLinks(1_790);
    expect((await read(first)).status).toBe(200);
    const second = await tokenOf(email);
    await ageLinks(10);
    expect(errorOf(await read(first))).toEqual(NOT_VALID);
    expect(errorOf(await confirm(first))).toEqual(NOT_VALID);
    await ageLinks(-20);
    expect((await confirm(second)).status).toBe(200);
    expect(errorOf(await read(first))).toEqual(NOT_VALID);
  });

  it("creates no second account for an existing user, and reports that the user exists", async () => {
    for (const { email } of [sandbox.access.merchant_user, sandbox.access.administrator]) {
      const token = await tokenOf(email, NEXT);
      expect(dataOf(readSignUpResponseSchema, await read(token))).toEqual({
        email,
        has_user: true,
        next: NEXT,
      });
      const before = await merchants();
      expect(errorOf(await confirm(token))).toEqual(NOT_VALID);
      expect(await merchants()).toBe(before);
    }
  });

  it("leaves an invitation to the same address valid, and the invitation then requires no password", async () => {
    const email = "invited@example.com";
    const invitation = "token of an invitation";
    const inviter = await prisma.consoleUser.findUniqueOrThrow({
      where: { email: sandbox.access.merchant_user.email },
    });
    await prisma.consoleLink.create({
      data: {
        ...{ kind: "invitation", email, merchantId, role: "developer", invitedById: inviter.id },
        tokenHash: hashSecret(invitation),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    const { session } = dataOf(confirmSignUpResponseSchema, await confirm(await tokenOf(email)));
    const shown = await edge.post("/invitation", { token: invitation });
    expect(dataOf(readInvitationResponseSchema, shown).needs_password).toBe(false);
    expect((await edge.post("/invitation/accept", { token: invitation })).status).toBe(200);
    const me = dataOf(consoleMeResponseSchema, await consoleClient(server, session).get("/me"));
    expect(me.merchants.map(({ name, role }) => [name, role])).toEqual(
      expect.arrayContaining([
        ["Kiln & Co", "owner"],
        [sandbox.access.merchant.name, "developer"],
      ]),
    );
  });

  it("is invalid, and creates no account, if its token belongs to a password reset link", async () => {
    const { email } = sandbox.access.merchant_user;
    const token = await tokenOf("swapped@example.com");
    await pool.query(
      `UPDATE console_links SET kind = 'password', email = NULL, user_id = (SELECT id FROM console_users WHERE email = $1)`,
      [email],
    );
    const before = await merchants();
    for (const response of [await read(token), await confirm(token)])
      expect(errorOf(response)).toEqual(NOT_VALID);
    expect(await merchants()).toBe(before);
  });

  it.each([
    ["password", "eleven char", "must have at least 12 characters"],
    ["password", "x".repeat(1_001), "must not be longer than 1000 characters"],
    ["shop_name", "", "is required"],
    ["shop_name", "n".repeat(121), "must not be longer than 120 characters"],
    ["shop_name", "Kiln\u2066", "must not contain control or text-direction characters"],
    ["shop_name", "Kiln\u0007", "must not contain control or text-direction characters"],
  ])("remains valid after an invalid %s", async (field, value, rule) => {
    const token = await tokenOf("limits@example.com");
    const before = await merchants();
    expect(errorOf(await confirm(token, { [field]: value })).fields).toEqual({
      [field]: [`The ${field} field ${rule}`],
    });
    expect(await merchants()).toBe(before);
    expect((await read(token)).status).toBe(200);
  });

  it("accepts the longest name with the shortest password", async () => {
    const token = await tokenOf("limits@example.com");
    const fields = { shop_name: "n".repeat(120), password: "twelve chars" };
    expect((await confirm(token, fields)).status).toBe(200);
  });
});

describe("POST /sign-up", () => {
  it("returns the same response for a new address, an existing user's address and a second request within two minutes", async () => {
    const responses = [];
    for (const [n, email] of [
      "free@example.com",
      "free@example.com",
      sandbox.access.merchant_user.email,
      sandbox.access.administrator.email,
    ].entries()) {
      const client = { "x-tillgate-client-address": `203.0.113.${n + 1}` };
      responses.push(await consoleClient(mailingApi, undefined, client).post("/sign-up", { email }));
    }
    expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
      new Set([JSON.stringify([200, responses[0]?.body])]),
    );
    expect(dataOf(signUpResponseSchema, responses[0] ?? (await requestSignUp()))).toEqual({ token: null });
    expect(await prisma.consoleLink.count()).toBe(3);
  });

  it("creates another link after two minutes, but not before", async () => {
    const links = [];
    for (const [n, seconds] of [0, 119, 1].entries()) {
      await ageLinks(seconds);
      const client = { "x-tillgate-client-address": `203.0.113.${n + 100}` };
      await consoleClient(mailingApi, undefined, client).post("/sign-up", { email: EMAIL });
      links.push(await prisma.consoleLink.count());
    }
    expect(links).toEqual([1, 1, 2]);
  });

  it("returns a new link each time if e-mails are written to files, even for concurrent requests", async () => {
    const tokens = await Promise.all([tokenOf(), tokenOf()]);
    tokens.push(await tokenOf());
    expect(new Set(tokens).size).toBe(3);
    for (const token of tokens) expect((await read(token)).status).toBe(200);
  });

  it("is rejected above the rate limit per client address", async () => {
    const from = consoleClient(mailingApi, undefined, { "x-tillgate-client-address": "203.0.113.200" });
    const statuses = [];
    for (const name of ["a", "b", "c"])
      statuses.push((await from.post("/sign-up", { email: `${name}@example.com` })).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(await prisma.consoleLink.count()).toBe(2);
  });

  it.each([
    [{ email: "nobody" }, { email: ["The email field must be an e-mail address"] }],
    [{ email: "" }, { email: ["The email field is required"] }],
    [
      { email: EMAIL, next: `/${"n".repeat(6_000)}` },
      { next: ["The next field must not be longer than 6000 characters"] },
    ],
  ])("rejects an invalid field and stores no link (%#)", async (fields, rejected) => {
    expect(errorOf(await edge.post("/sign-up", fields)).fields).toEqual(rejected);
    expect(await prisma.consoleLink.count()).toBe(0);
  });

  it("accepts a return path of the maximum length", async () => {
    expect((await requestSignUp(EMAIL, `/${"n".repeat(5_999)}`)).status).toBe(200);
  });
});

it("sign-up is not served unless it is enabled", async () => {
  const token = await tokenOf();
  const closed = await sandbox.startApi();
  const shut = consoleClient(closed);
  expect(dataOf(signUpOpenResponseSchema, await edge.get("/sign-up"))).toEqual({ open: true });
  expect(dataOf(signUpOpenResponseSchema, await shut.get("/sign-up"))).toEqual({ open: false });
  const before = await merchants();
  for (const [route, fields] of [
    ["/sign-up", { email: EMAIL }],
    ["/sign-up/link", { token }],
    ["/sign-up/confirm", { token, shop_name: "Kiln", password: PASSWORD }],
  ] as const)
    expect(errorOf(await shut.post(route, fields))).toEqual({ status: 404, texts: ["Unknown route"] });
  expect(await merchants()).toBe(before);
});
