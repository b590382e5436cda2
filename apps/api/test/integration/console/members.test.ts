import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  consoleMeResponseSchema,
  consoleSessionTokenResponseSchema,
  invitationResponseSchema,
  memberListResponseSchema,
  readInvitationResponseSchema,
} from "@tillgate/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createFileMailer } from "../../../src/mail/mailer.js";
import { startLinkMails } from "../../../src/mail/send-links.js";
import { errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";
import {
  addConsoleUser,
  addSecondFactor,
  type ConsoleClient,
  type ConsoleParties,
  consoleClient,
  createConsoleParties,
  dataOf,
  sessionTokenOf,
} from "./console-client.js";

const { sandbox, server, merchantId } = await createTestApi({
  environment: { TILLGATE_CONSOLE_URL: "https://console.example.test" },
});
const { prisma, pool } = sandbox.database;
const PASSWORD = "a new password of now";
const NOT_VALID = { status: 404, texts: ["This link is no longer valid. Request a new one."] };
const folder = await mkdtemp(path.join(tmpdir(), "tillgate-mails-"));
afterAll(() => rm(folder, { recursive: true }));
const open = consoleClient(server);
let parties: ConsoleParties;
let owner: ConsoleClient;

beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  owner = consoleClient(server, sessionTokenOf(parties.user));
});
beforeEach(async () => {
  await prisma.consoleLink.deleteMany();
  for (const file of await readdir(folder)) await rm(path.join(folder, file));
});

const base = (merchant = merchantId) => `/merchants/${merchant}/members`;
const invite = (email: string, role = "developer", by = owner) =>
  by.post(`${base()}/invite`, { email, role });
const list = async (by = owner) => dataOf(memberListResponseSchema, await by.get(base()));
const acceptInvitation = (token: string, password: string | undefined = PASSWORD) =>
  open.post("/invitation/accept", { token, password });
const records = async () =>
  (
    await prisma.auditRecord.findMany({
      where: { merchantId },
      orderBy: { id: "desc" },
    })
  ).map(({ action, administrator }) => [action, administrator]);
const owners = async () =>
  (await prisma.consoleMember.findMany({ where: { merchantId, role: "owner" } })).map(({ userId }) => userId);

async function mailedToken(email: string): Promise<string> {
  const mails = startLinkMails(server.context, createFileMailer(folder));
  await waitUntil(
    "all links are mailed",
    async () =>
      (await prisma.consoleLink.count({ where: { tokenCiphertext: { not: null }, usedAt: null } })) === 0,
  );
  await mails.close();
  const texts = await Promise.all(
    (await readdir(folder)).map((file) => readFile(path.join(folder, file), "utf8")),
  );
  const mail = texts.find((text) => text.startsWith(`To: ${email}\n`)) ?? "";
  const [, token = ""] = /https:\/\/console\.example\.test\/invitation\?token=(\S+)/.exec(mail) ?? [];
  for (const file of await readdir(folder)) await rm(path.join(folder, file));
  return token;
}

describe("member invitation", () => {
  it("creates a member with a password once, with audit records", async () => {
    const { invitation_id: id } = dataOf(invitationResponseSchema, await invite(" New.One@example.com "));
    expect((await list()).invitations).toEqual([
      {
        invitation_id: id,
        email: "new.one@example.com",
        role: "developer",
        invited_by: sandbox.access.merchant_user.email,
        expires_at: expect.any(String),
      },
    ]);
    const token = await mailedToken("new.one@example.com");
    const read = dataOf(readInvitationResponseSchema, await open.post("/invitation", { token }));
    expect(read).toEqual({
      email: "new.one@example.com",
      merchant: sandbox.access.merchant.name,
      role: "developer",
      needs_password: true,
    });
    expect(errorOf(await open.post("/invitation/accept", { token })).fields).toEqual({
      password: ["The password field is required"],
    });
    const both = await Promise.all([acceptInvitation(token), acceptInvitation(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(errorOf(await open.post("/invitation", { token }))).toEqual(NOT_VALID);
    const signedIn = await open.post("/sign-in", { email: "new.one@example.com", password: PASSWORD });
    const { session } = dataOf(consoleSessionTokenResponseSchema, signedIn);
    const { merchants } = dataOf(consoleMeResponseSchema, await consoleClient(server, session).get("/me"));
    expect(merchants).toEqual([
      { merchant_id: merchantId, name: sandbox.access.merchant.name, role: "developer" },
    ]);
    expect((await list()).invitations).toEqual([]);
    expect((await records()).slice(0, 2)).toEqual([
      ["console_user.joined", "new.one@example.com"],
      ["member.invite", sandbox.access.merchant_user.email],
    ]);
    for (const secret of [token, PASSWORD]) expect(server.logs()).not.toContain(secret);
  });

  it("gives an existing user access to the merchant, and does not change the user's password", async () => {
    const email = "other.user@example.com";
    const { passwordHash } = await prisma.consoleUser.findUniqueOrThrow({ where: { email } });
    await invite(email, "viewer");
    const token = await mailedToken(email);
    expect(
      dataOf(readInvitationResponseSchema, await open.post("/invitation", { token })).needs_password,
    ).toBe(false);
    expect((await acceptInvitation(token)).status).toBe(200);
    expect((await prisma.consoleUser.findUniqueOrThrow({ where: { email } })).passwordHash).toBe(
      passwordHash,
    );
    expect(await prisma.consoleMember.count({ where: { userId: parties.otherUser } })).toBe(2);
    expect(errorOf(await invite(email)).texts).toEqual(["This e-mail already belongs to a member"]);
    expect((await owner.post(`${base()}/${parties.otherUser}/remove`)).status).toBe(200);
  });

  it("is invalid if it was sent to an administrator, after 7 days, and once it is withdrawn or replaced", async () => {
    await invite(sandbox.access.administrator.email, "owner");
    expect(errorOf(await acceptInvitation(await mailedToken(sandbox.access.administrator.email)))).toEqual(
      NOT_VALID,
    );

    await invite("late@example.com");
    const replaced = await mailedToken("late@example.com");
    const { invitation_id: id } = dataOf(invitationResponseSchema, await invite("late@example.com"));
    const withdrawn = await mailedToken("late@example.com");
    expect(errorOf(await acceptInvitation(replaced))).toEqual(NOT_VALID);
    expect((await owner.post(`${base()}/invitations/${id}/withdraw`)).status).toBe(200);
    expect(errorOf(await owner.post(`${base()}/invitations/${id}/withdraw`)).texts).toEqual([
      "Invitation not found",
    ]);
    expect(errorOf(await acceptInvitation(withdrawn))).toEqual(NOT_VALID);

    await invite("late@example.com");
    const old = await mailedToken("late@example.com");
    await pool.query("UPDATE console_links SET expires_at = expires_at - interval '7 days'");
    expect(errorOf(await acceptInvitation(old))).toEqual(NOT_VALID);
    expect(await prisma.consoleUser.count({ where: { email: "late@example.com" } })).toBe(0);
  });

  it("is invalid if its sender loses the right to invite", async () => {
    const leaving = await addConsoleUser(sandbox, "leaving.owner@example.com", merchantId);
    await addSecondFactor(sandbox, leaving);
    await invite("friend@example.com", "owner", consoleClient(server, sessionTokenOf(leaving)));
    const token = await mailedToken("friend@example.com");
    expect((await owner.post(`${base()}/${leaving}/role`, { role: "viewer" })).status).toBe(200);
    expect(errorOf(await acceptInvitation(token))).toEqual(NOT_VALID);
  });

  it("is not accepted as a password reset link", async () => {
    await invite("kinds@example.com");
    const token = await mailedToken("kinds@example.com");
    expect(errorOf(await open.post("/password-reset/confirm", { token, password: PASSWORD }))).toEqual(
      NOT_VALID,
    );
    expect((await acceptInvitation(token)).status).toBe(200);
  });

  it("cannot be withdrawn by a member of another merchant", async () => {
    const { invitation_id: id } = dataOf(invitationResponseSchema, await invite("foreign@example.com"));
    const other = consoleClient(server, sessionTokenOf(parties.otherUser));
    for (const [merchant, texts] of [
      [parties.otherId, ["Invitation not found"]],
      [merchantId, ["Merchant not found"]],
    ] as const)
      expect(errorOf(await other.post(`${base(merchant)}/invitations/${id}/withdraw`)).texts).toEqual(texts);
    expect((await list()).invitations).toHaveLength(1);
  });

  it("requires a valid e-mail address and a known role", async () => {
    expect(errorOf(await invite("no address", "boss")).fields).toEqual({
      email: ["The email field must be an e-mail address"],
      role: ["The role field must be one of owner, developer, finance, viewer"],
    });
  });
});

describe("member", () => {
  it("can be given a different role or removed, with one audit record each; another merchant's member is not found", async () => {
    const user = await addConsoleUser(sandbox, "moves@example.com", merchantId, "viewer");
    expect((await owner.post(`${base()}/${user}/role`, { role: "finance" })).status).toBe(200);
    expect((await owner.post(`${base()}/${user}/role`, { role: "finance" })).status).toBe(200);
    expect((await list()).members).toContainEqual(
      expect.objectContaining({ user_id: user, role: "finance", disabled: false }),
    );
    expect((await owner.post(`${base()}/${user}/remove`)).status).toBe(200);
    for (const id of [user, parties.otherUser, "none"])
      expect(errorOf(await owner.post(`${base()}/${id}/remove`))).toEqual({
        status: 404,
        texts: ["Member not found"],
      });
    expect(await prisma.consoleMember.count({ where: { userId: parties.otherUser } })).toBe(1);
    expect((await records()).slice(0, 2).map(([action]) => action)).toEqual(["member.remove", "member.role"]);
  });

  it("who is the last owner cannot be removed or given a different role, even if two owners remove each other concurrently", async () => {
    const second = await addConsoleUser(sandbox, "second.owner@example.com", merchantId);
    await addSecondFactor(sandbox, second);
    const responses = await Promise.all([
      owner.post(`${base()}/${second}/remove`),
      consoleClient(server, sessionTokenOf(second)).post(`${base()}/${parties.user}/remove`),
    ]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const [left = "", ...more] = await owners();
    expect(more).toEqual([]);
    const last = consoleClient(server, sessionTokenOf(left));
    for (const step of ["remove", "role"])
      expect(errorOf(await last.post(`${base()}/${left}/${step}`, { role: "viewer" })).texts).toEqual([
        "A merchant needs an owner. Make another member an owner first.",
      ]);
    expect(await owners()).toEqual([left]);
  });
});
