import {
  consoleMeResponseSchema,
  consoleRevokedResponseSchema,
  consoleSessionListResponseSchema,
  consoleSessionTokenResponseSchema,
} from "@tillgate/contract";
import { hashPassword } from "@tillgate/database";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changePassword } from "../../../src/administration/administrators.js";
import { type ApiResponse, errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { addConsoleUser, consoleClient, dataOf, sessionTokenOf, signInUser } from "./console-client.js";

const { sandbox, server, merchantId } = await createTestApi({
  environment: { TILLGATE_WRONG_PINS_UNTIL_LOCK: "3" },
});
const { prisma, pool } = sandbox.database;
const PASSWORD = "a long enough password";
const EMAIL = "pat@example.com";
let userId: string;

beforeAll(async () => {
  userId = await addConsoleUser(sandbox, EMAIL, merchantId);
  await prisma.consoleUser.update({
    where: { id: userId },
    data: { passwordHash: await hashPassword(PASSWORD) },
  });
});
beforeEach(async () => {
  await prisma.consoleSession.deleteMany({ where: { userId } });
  await pool.query("DELETE FROM pin_failures");
});

const from = (address: string) => ({
  "x-tillgate-client-address": address,
  "x-tillgate-client-browser": "A browser",
});
const signIn = (
  fields: object = {},
  { before, address = "198.51.100.7" }: { before?: string; address?: string } = {},
) =>
  consoleClient(server, before, from(address)).post("/sign-in", {
    email: EMAIL,
    password: PASSWORD,
    ...fields,
  });
const tokenOf = (response: ApiResponse) => dataOf(consoleSessionTokenResponseSchema, response).session;
const me = (token: string) => consoleClient(server, token).get("/me");
const NOT_SIGNED_IN = { status: 401, texts: ["Not signed in"] };
const WRONG_SIGN_IN = { status: 401, texts: ["Incorrect e-mail or password"] };

describe("POST /sign-in", () => {
  it("starts a session regardless of the case of the e-mail address, and does not store the session token in plain text", async () => {
    const response = await signIn({ email: ` ${EMAIL.toUpperCase()} ` });
    const started = dataOf(consoleSessionTokenResponseSchema, response);
    expect(started.state).toBe("signed_in");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const { user } = dataOf(consoleMeResponseSchema, await me(started.session));
    expect(user).toEqual({ user_id: userId, email: EMAIL, role: "merchant" });
    const { rows } = await pool.query("SELECT s::text AS row FROM console_sessions s");
    expect(JSON.stringify(rows)).not.toContain(started.session);
  });

  it("returns the same error for an unknown e-mail and a wrong password, and starts no session", async () => {
    for (const fields of [{ password: `${PASSWORD}x` }, { email: "nobody@example.com" }])
      expect(errorOf(await signIn(fields))).toEqual(WRONG_SIGN_IN);
    expect(await prisma.consoleSession.count({ where: { userId } })).toBe(0);
  });

  it("does not respond much faster to an unknown e-mail than to a wrong password", async () => {
    const took = async (fields: object) => {
      const start = performance.now();
      await signIn(fields, { address: "203.0.113.77" });
      return performance.now() - start;
    };
    // Compares the fastest attempts, because load can only add to the time that hashing takes.
    let known = Number.POSITIVE_INFINITY;
    let unknown = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 2 || (tries < 20 && unknown < known / 3); tries += 1) {
      known = Math.min(known, await took({ password: "x" }));
      unknown = Math.min(unknown, await took({ email: "who@example.com" }));
    }
    expect(unknown).toBeGreaterThan(known / 3);
  });

  it("ends the browser's previous session", async () => {
    const before = tokenOf(await signIn());
    const after = tokenOf(await signIn({}, { before }));
    expect(after).not.toBe(before);
    expect(errorOf(await me(before))).toEqual(NOT_SIGNED_IN);
    expect((await me(after)).status).toBe(200);
  });

  it("reveals that a user is disabled only after a correct password, and a disabled user's session is rejected", async () => {
    const token = tokenOf(await signIn());
    await prisma.consoleUser.update({ where: { id: userId }, data: { disabledAt: new Date() } });
    try {
      expect(errorOf(await signIn({ password: "wrong" }))).toEqual(WRONG_SIGN_IN);
      expect(errorOf(await signIn())).toEqual({ status: 403, texts: ["This user is disabled"] });
      expect(errorOf(await me(token))).toEqual(NOT_SIGNED_IN);
    } finally {
      await prisma.consoleUser.update({ where: { id: userId }, data: { disabledAt: null } });
    }
  });

  it("requires an e-mail address and a password", async () => {
    expect(errorOf(await consoleClient(server).post("/sign-in", {})).fields).toEqual({
      email: ["The email field is required"],
      password: ["The password field is required"],
    });
  });

  it("logs no password or token", async () => {
    const token = tokenOf(await signIn());
    await signIn({ password: "a wrong secret word" });
    expect(server.logs()).toContain("wrong_password");
    for (const secret of [token, PASSWORD, "a wrong secret word"])
      expect(server.logs()).not.toContain(secret);
  });
});

describe("wrong passwords", () => {
  const LOCKED = { status: 429, texts: ["Too many wrong passwords or codes"] };

  it("lock known and unknown e-mails after three attempts, even for the correct password", async () => {
    for (const email of [EMAIL, "nobody@example.com"]) {
      for (let i = 0; i < 2; i += 1)
        expect(errorOf(await signIn({ email, password: "x" }))).toEqual(WRONG_SIGN_IN);
      expect(errorOf(await signIn({ email, password: "x" }))).toEqual(WRONG_SIGN_IN);
      const locked = await signIn({ email });
      expect(errorOf(locked)).toEqual(LOCKED);
      expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(50);
    }
  });

  it("lock unknown e-mails for as long as known e-mails, and longer each time", async () => {
    const lockMinutes = async (email: string) => {
      const minutes = [];
      for (let i = 0; i < 2; i += 1) await signIn({ email, password: "x" });
      for (let lock = 0; lock < 4; lock += 1) {
        expect(errorOf(await signIn({ email, password: "x" }))).toEqual(WRONG_SIGN_IN);
        const locked = await signIn({ email, password: "x" });
        expect(errorOf(locked)).toEqual(LOCKED);
        minutes.push(Math.round(Number(locked.headers.get("retry-after")) / 60));
        await pool.query("UPDATE pin_failures SET locked_until = clock_timestamp()");
      }
      return minutes;
    };
    for (const email of [EMAIL, "nobody@example.com"])
      expect(await lockMinutes(email)).toEqual([1, 5, 15, 60]);
  });

  it("no longer count once the correct password is entered", async () => {
    for (let i = 0; i < 2; i += 1) await signIn({ password: "x" });
    expect((await signIn()).status).toBe(200);
    for (let i = 0; i < 2; i += 1) expect(errorOf(await signIn({ password: "x" }))).toEqual(WRONG_SIGN_IN);
    expect((await signIn()).status).toBe(200);
  });

  it("do not lock a user out at an address from which the user has signed in before", async () => {
    tokenOf(await signIn());
    for (let i = 0; i < 3; i += 1) await signIn({ password: "x" }, { address: "203.0.113.9" });
    expect(errorOf(await signIn({}, { address: "203.0.113.9" }))).toEqual(LOCKED);
    expect((await signIn()).status).toBe(200);
  });

  it("cannot exceed the limit when sent concurrently", async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => signIn({ password: "x" })));
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(2);
  });

  it("are rate limited per IP address across e-mails", async () => {
    const strict = await sandbox.startApi({ environment: { TILLGATE_WRONG_PINS_PER_IP_ADDRESS: "1" } });
    const guess = (email: string) =>
      consoleClient(strict, undefined, from("203.0.113.50")).post("/sign-in", { email, password: "x" });
    const responses = await Promise.all(
      ["a", "b", "c", "d", "e", "f", "g"].map((name) => guess(`${name}@example.com`)),
    );
    expect(responses.map(({ status }) => status)).toContain(429);
  });
});

describe("console session", () => {
  const age = (token: string, set: string) =>
    pool.query(`UPDATE console_sessions SET ${set} WHERE token_hash = sha256($1::text::bytea)`, [token]);

  it("ends when the user signs out", async () => {
    const token = tokenOf(await signIn());
    for (let i = 0; i < 2; i += 1)
      expect((await consoleClient(server, token).post("/sign-out")).status).toBe(200);
    expect(errorOf(await me(token))).toEqual(NOT_SIGNED_IN);
    expect((await consoleClient(server).post("/sign-out")).status).toBe(200);
  });

  it("expires after 30 minutes without use; each use extends it", async () => {
    const token = tokenOf(await signIn());
    await age(token, "last_seen_at = clock_timestamp() - interval '29 minutes 50 seconds'");
    expect((await me(token)).status).toBe(200);
    await age(token, "last_seen_at = last_seen_at - interval '29 minutes 50 seconds'");
    expect((await me(token)).status).toBe(200);
    await age(token, "last_seen_at = last_seen_at - interval '30 minutes'");
    expect(errorOf(await me(token))).toEqual(NOT_SIGNED_IN);
  });

  it("expires after at most 12 hours", async () => {
    const token = tokenOf(await signIn());
    const { session } = dataOf(consoleMeResponseSchema, await me(token));
    const hours = (Date.parse(session.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThan(12.01);
    await age(token, "expires_at = clock_timestamp()");
    expect(errorOf(await me(token))).toEqual(NOT_SIGNED_IN);
  });

  it("ends for an administrator when the CLI sets a new password", async () => {
    const { email } = sandbox.access.administrator;
    const administrator = await prisma.consoleUser.findUniqueOrThrow({ where: { email } });
    await signInUser(sandbox, administrator.id);
    const token = sessionTokenOf(administrator.id);
    expect((await me(token)).status).toBe(200);
    await changePassword(server.context, { administrator });
    expect(errorOf(await me(token))).toEqual(NOT_SIGNED_IN);
  });

  it("is listed for its user with its network and browser, and can be revoked individually or with all others", async () => {
    const own = tokenOf(await signIn());
    const others = [
      tokenOf(await signIn({}, { address: "2001:db8::1" })),
      tokenOf(await signIn()),
      tokenOf(await signIn()),
    ];
    const edge = consoleClient(server, own);
    const { sessions } = dataOf(consoleSessionListResponseSchema, await edge.get("/sessions"));
    expect(sessions).toHaveLength(4);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    expect(sessions.find(({ client_network }) => client_network === "2001:db8:0:0::/64")?.browser).toBe(
      "A browser",
    );
    const there = sessions.find(({ client_network }) => client_network.includes(":"))?.session_id;
    expect((await edge.post(`/sessions/${there}/revoke`)).status).toBe(200);
    expect(errorOf(await edge.post(`/sessions/${there}/revoke`)).texts).toEqual(["Session not found"]);
    expect(errorOf(await me(others[0] ?? ""))).toEqual(NOT_SIGNED_IN);
    expect(dataOf(consoleRevokedResponseSchema, await edge.post("/sessions/revoke-others"))).toEqual({
      revoked: 2,
    });
    for (const token of others) expect(errorOf(await me(token))).toEqual(NOT_SIGNED_IN);
    expect((await me(own)).status).toBe(200);
  });

  it("cannot be found or revoked by another user", async () => {
    const other = await addConsoleUser(sandbox, "other.pat@example.com", merchantId);
    const { id } = await prisma.consoleSession.findFirstOrThrow({ where: { userId: other } });
    const edge = consoleClient(server, tokenOf(await signIn()));
    for (const one of [id, "none", "%00"])
      expect(errorOf(await edge.post(`/sessions/${one}/revoke`))).toEqual({
        status: 404,
        texts: ["Session not found"],
      });
    expect(dataOf(consoleRevokedResponseSchema, await edge.post("/sessions/revoke-others")).revoked).toBe(0);
    expect((await prisma.consoleSession.findUniqueOrThrow({ where: { id } })).revokedAt).toBeNull();
  });
});
