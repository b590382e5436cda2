import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { consoleSessionTokenResponseSchema } from "@tillgate/contract";
import { hashPassword } from "@tillgate/database";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createFileMailer, createMailer } from "../../../src/mail/mailer.js";
import { startLinkMails } from "../../../src/mail/send-links.js";
import { parseSmtpUrl } from "../../../src/settings.js";
import { startMailServer } from "../../support/mail-server.js";
import { errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";
import {
  addConsoleUser,
  addSecondFactor,
  consoleClient,
  dataOf,
  sessionTokenOf,
  signInUser,
} from "./console-client.js";

const CONSOLE_URL = "https://console.example.test";
const { sandbox, server, merchantId } = await createTestApi({
  environment: { TILLGATE_CONSOLE_URL: CONSOLE_URL, TILLGATE_WRONG_PINS_UNTIL_LOCK: "3" },
});
const { prisma, pool } = sandbox.database;
const EMAIL = "forgetful@example.com";
const OLD_PASSWORD = "the password of before";
const NEW_PASSWORD = "a new password of now";
const NOT_VALID = { status: 404, texts: ["This link is no longer valid. Request a new one."] };
const folder = await mkdtemp(path.join(tmpdir(), "tillgate-mails-"));
afterAll(() => rm(folder, { recursive: true }));
let userId: string;
let oldHash: string;

beforeAll(async () => {
  oldHash = await hashPassword(OLD_PASSWORD);
  userId = await addConsoleUser(sandbox, EMAIL, merchantId, "developer");
});
beforeEach(async () => {
  await prisma.consoleUser.update({
    where: { id: userId },
    data: { passwordHash: oldHash, disabledAt: null },
  });
  await prisma.consoleLink.deleteMany();
  await prisma.consoleSession.deleteMany({ where: { userId } });
  await prisma.consoleTotp.deleteMany({ where: { userId } });
  await pool.query("DELETE FROM pin_failures");
  for (const file of await readdir(folder)) await rm(path.join(folder, file));
});

const edge = consoleClient(server);
const requestReset = (email = EMAIL) => edge.post("/password-reset", { email });
const confirm = (token: string, password = NEW_PASSWORD) =>
  edge.post("/password-reset/confirm", { token, password });
const signIn = (password: string) => edge.post("/sign-in", { email: EMAIL, password });
const links = () => prisma.consoleLink.findMany();

async function mailedToken(): Promise<string> {
  const mails = startLinkMails(server.context, createFileMailer(folder));
  const [file = ""] = await waitUntil("an e-mail is written", async () => {
    const waiting = await prisma.consoleLink.count({ where: { tokenCiphertext: { not: null } } });
    return waiting === 0 && readdir(folder);
  });
  await mails.close();
  const mail = await readFile(path.join(folder, file), "utf8");
  expect(mail).toMatch(new RegExp(`^To: ${EMAIL}\nSubject: Reset your Tillgate password\n`));
  const [, token = ""] = /https:\/\/console\.example\.test\/reset-password\?token=(\S+)/.exec(mail) ?? [];
  return token;
}

describe("password reset link", () => {
  it("sets a new password once, ends the user's sessions and is audited", async () => {
    await signInUser(sandbox, userId);
    for (let i = 0; i < 3; i += 1) await signIn("wrong");
    expect((await requestReset(` ${EMAIL.toUpperCase()}`)).status).toBe(200);
    const before = JSON.stringify((await pool.query("SELECT l::text FROM console_links l")).rows);
    const token = await mailedToken();
    expect(before).not.toContain(token);
    // Reading the link does not use it up.
    const read = () => edge.post("/password-reset/link", { token });
    expect([(await read()).status, (await read()).status]).toEqual([200, 200]);
    const both = await Promise.all([confirm(token), confirm(token)]);
    expect(errorOf(await read())).toEqual(NOT_VALID);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(errorOf(await confirm(token, "yet another password"))).toEqual(NOT_VALID);
    expect((await consoleClient(server, sessionTokenOf(userId)).get("/me")).status).toBe(401);
    expect(errorOf(await signIn(OLD_PASSWORD)).status).toBe(401);
    expect((await signIn(NEW_PASSWORD)).status).toBe(200);
    const record = await prisma.auditRecord.findFirstOrThrow({ where: { subject: userId } });
    expect(record).toMatchObject({ action: "console_user.password", merchantId, administrator: EMAIL });
    for (const secret of [token, NEW_PASSWORD]) expect(server.logs()).not.toContain(secret);
  });

  it("does not remove the user's second factor", async () => {
    await addSecondFactor(sandbox, userId);
    await requestReset();
    await confirm(await mailedToken());
    expect(dataOf(consoleSessionTokenResponseSchema, await signIn(NEW_PASSWORD)).state).toBe("second_factor");
  });

  it("expires after 30 minutes, or when another link is used", async () => {
    await requestReset();
    const first = await mailedToken();
    const age = (seconds: number) =>
      pool.query(
        "UPDATE console_links SET expires_at = expires_at - $1::int * interval '1 second', created_at = created_at - $1::int * interval '1 second'",
        [seconds],
      );
    await age(1_790);
    await requestReset();
    expect(await links()).toHaveLength(2);
    for (const file of await readdir(folder)) await rm(path.join(folder, file));
    const second = await mailedToken();
    expect((await confirm(second)).status).toBe(200);
    expect(errorOf(await confirm(first))).toEqual(NOT_VALID);
    await pool.query("UPDATE console_links SET used_at = NULL");
    await age(10);
    expect(errorOf(await confirm(first))).toEqual(NOT_VALID);
  });

  it("is invalid if the user is disabled in the meantime", async () => {
    await requestReset();
    const token = await mailedToken();
    await prisma.consoleUser.update({ where: { id: userId }, data: { disabledAt: new Date() } });
    expect(errorOf(await confirm(token))).toEqual(NOT_VALID);
  });

  it("rejects a short password and remains valid", async () => {
    await requestReset();
    const token = await mailedToken();
    expect(errorOf(await confirm(token, "eleven char")).fields).toEqual({
      password: ["The password field must have at least 12 characters"],
    });
    expect((await confirm(token, "twelve chars")).status).toBe(200);
  });

  it("is e-mailed again if the mail server rejects it temporarily", async () => {
    const smtp = await startMailServer();
    const url = parseSmtpUrl(`smtp://127.0.0.1:${smtp.port}`);
    if (!url) throw new Error("the SMTP URL is invalid");
    const from = { name: "Tillgate", address: "notices@example.com" };
    const mails = startLinkMails(server.context, createMailer({ mail: { ...url, from, demandTls: false } }));
    smtp.rejectNext(451);
    await requestReset();
    mails.wake();
    await waitUntil("the e-mail is rejected", () => server.logs().includes("link_mail_postponed"));
    await pool.query("UPDATE console_links SET next_attempt_at = clock_timestamp()");
    mails.wake();
    await waitUntil("the e-mail is sent", () => smtp.received.length === 1);
    expect(smtp.received[0]?.to).toEqual([EMAIL]);
    await mails.close();
    await smtp.close();
  });
});

describe("POST /password-reset", () => {
  it("returns the same response for known and unknown addresses, disabled users, administrators, and a second request within two minutes", async () => {
    const responses = [
      await requestReset(),
      await requestReset(),
      await requestReset("nobody@example.com"),
      await requestReset(sandbox.access.administrator.email),
    ];
    await prisma.consoleUser.update({ where: { id: userId }, data: { disabledAt: new Date() } });
    responses.push(await requestReset());
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await links()).toHaveLength(1);
  });

  it("is rejected above the rate limit per client address", async () => {
    const strict = await sandbox.startApi({ environment: { TILLGATE_SIGN_INS_PER_MINUTE: "2" } });
    const from = consoleClient(strict, undefined, { "x-tillgate-client-address": "203.0.113.200" });
    const responses = [];
    for (let i = 0; i < 3; i += 1)
      responses.push(await from.post("/password-reset", { email: "x@example.com" }));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
  });
});
