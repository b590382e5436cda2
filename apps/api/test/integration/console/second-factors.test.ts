import {
  consoleMeResponseSchema,
  consoleRecoveryCodesResponseSchema,
  consoleSecondFactorOnResponseSchema,
  consoleSessionTokenResponseSchema,
  consoleTotpStartResponseSchema,
} from "@tillgate/contract";
import { hashPassword } from "@tillgate/database";
import { Secret, TOTP, URI } from "otpauth";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type ApiResponse, errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { addConsoleUser, consoleClient, dataOf, sessionTokenOf, signInUser } from "./console-client.js";

const { sandbox, server, merchantId } = await createTestApi({
  environment: { TILLGATE_WRONG_PINS_UNTIL_LOCK: "3" },
});
const second = await sandbox.startApi();
const { prisma, pool } = sandbox.database;
const PASSWORD = "a long enough password";
const EMAIL = "toni@example.com";
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
  await prisma.consoleTotp.deleteMany({ where: { userId } });
  await prisma.consoleRecoveryCode.deleteMany({ where: { userId } });
  await pool.query("DELETE FROM pin_failures");
  await signInUser(sandbox, userId);
});
afterEach(() => void vi.useRealTimers());

const edge = (token: string) => consoleClient(server, token);
const tokenOf = (response: ApiResponse) => dataOf(consoleSessionTokenResponseSchema, response).session;
const postSignIn = () => consoleClient(server).post("/sign-in", { email: EMAIL, password: PASSWORD });
const signIn = async () => dataOf(consoleSessionTokenResponseSchema, await postSignIn());
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
const allowCodeReuse = () => prisma.consoleTotp.updateMany({ where: { userId }, data: { lastStep: 0 } });
const changeSessions = (set: string) =>
  pool.query(`UPDATE console_sessions SET ${set} WHERE user_id = $1`, [userId]);
const WRONG_CODE = { status: 401, texts: ["Incorrect code"] };
const NOT_FRESH = { status: 403, texts: ["Confirm this with your second factor"] };
const LOCKED = { status: 429, texts: ["Too many wrong passwords or codes"] };

const start = (token = sessionTokenOf(userId), password = PASSWORD) =>
  edge(token).post("/second-factor/totp/start", { password });
async function turnOnApp() {
  const { secret } = dataOf(consoleTotpStartResponseSchema, await start());
  const confirmed = await edge(sessionTokenOf(userId)).post("/second-factor/totp/confirm", {
    code: codeOf(secret),
  });
  await allowCodeReuse();
  return { secret, ...dataOf(consoleSecondFactorOnResponseSchema, confirmed) };
}
async function awaitingSession() {
  const on = await turnOnApp();
  return { ...on, own: on.session, session: (await signIn()).session };
}
const submitCode = (token: string, code: string) => edge(token).post("/second-factor/totp", { code });
const submitRecoveryCode = (token: string, code: string) =>
  edge(token).post("/second-factor/recovery-code", { code });
const records = async () =>
  (await prisma.auditRecord.findMany({ where: { subject: userId }, orderBy: { id: "desc" } })).map(
    ({ action, merchantId: chain, administrator }) => ({ action, chain, administrator }),
  );

describe("authenticator app of a console user", () => {
  it("is set up with the password and a first code, which ends other sessions and rotates the token", async () => {
    const other = (await signIn()).session;
    const started = dataOf(consoleTotpStartResponseSchema, await start());
    const totp = URI.parse(started.otpauth_uri);
    expect({ label: totp.label, issuer: totp.issuer, secret: totp.secret.base32 }).toEqual({
      label: EMAIL,
      issuer: "Tillgate",
      secret: started.secret,
    });
    expect(Secret.fromBase32(started.secret).bytes).toHaveLength(20);
    expect((await signIn()).state).toBe("signed_in");

    const confirmed = await edge(sessionTokenOf(userId)).post("/second-factor/totp/confirm", {
      code: codeOf(started.secret),
    });
    const on = dataOf(consoleSecondFactorOnResponseSchema, confirmed);
    expect(new Set(on.recovery_codes).size).toBe(10);
    for (const code of on.recovery_codes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    for (const token of [other, sessionTokenOf(userId)])
      expect((await edge(token).get("/me")).status).toBe(401);
    const { second_factor: shown } = dataOf(consoleMeResponseSchema, await edge(on.session).get("/me"));
    expect(shown).toEqual({
      totp: true,
      passkeys: [],
      recovery_codes_left: 10,
      fresh_until: expect.any(String),
    });
    expect((await records())[0]).toEqual({
      action: "console_user.totp_on",
      chain: merchantId,
      administrator: EMAIL,
    });
    const { rows } = await pool.query(
      "SELECT t::text AS t, (SELECT json_agg(c)::text FROM console_recovery_codes c) AS c FROM console_totps t",
    );
    for (const secret of [started.secret, ...on.recovery_codes]) {
      expect(JSON.stringify(rows)).not.toContain(secret);
      expect(server.logs()).not.toContain(secret);
    }
  });

  it("is not set up without the password, without a valid code, or twice", async () => {
    expect(errorOf(await start(undefined, "wrong"))).toEqual({
      status: 401,
      texts: ["Incorrect password."],
    });
    const confirm = (code: string) =>
      edge(sessionTokenOf(userId)).post("/second-factor/totp/confirm", { code });
    expect(errorOf(await confirm("123456"))).toEqual({
      status: 403,
      texts: ["Set up a second factor first"],
    });
    const { secret } = dataOf(consoleTotpStartResponseSchema, await start());
    for (const code of ["abc", codeOf(secret, 5)]) expect(errorOf(await confirm(code))).toEqual(WRONG_CODE);
    expect((await signIn()).state).toBe("signed_in");
    const two = await Promise.all([confirm(codeOf(secret)), confirm(codeOf(secret))]);
    expect(two.map(({ status }) => status).sort()[0]).toBe(200);
    expect(two.filter(({ status }) => status === 200)).toHaveLength(1);
    const { session } = await signIn();
    await allowCodeReuse();
    const token = tokenOf(await submitCode(session, codeOf(secret)));
    expect(errorOf(await start(token)).status).toBe(409);
  });

  it("completes a sign-in that awaits a second factor, and issues a new token", async () => {
    const { secret, session } = await awaitingSession();
    expect((await postSignIn()).body).toMatchObject({ message: { success: ["Second factor required"] } });
    expect((await edge(session).get("/me")).status).toBe(403);
    const token = tokenOf(
      await submitCode(session, `${codeOf(secret).slice(0, 3)} ${codeOf(secret).slice(3)}`),
    );
    expect((await edge(session).get("/me")).status).toBe(401);
    expect((await edge(token).get("/me")).status).toBe(200);
  });

  it("does not complete a sign-in after ten minutes", async () => {
    const { secret, session } = await awaitingSession();
    await changeSessions("expires_at = expires_at - interval '9 minutes 50 seconds'");
    expect((await submitCode(session, "000000")).status).toBe(401);
    expect(errorOf(await submitCode(session, "000000"))).toEqual(WRONG_CODE);
    await changeSessions("expires_at = expires_at - interval '10 seconds'");
    expect(errorOf(await submitCode(session, codeOf(secret)))).toEqual({
      status: 401,
      texts: ["Not signed in"],
    });
  });

  it("accepts codes that are up to one 30-second step early or late", async () => {
    const { secret, session, own } = await awaitingSession();
    vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 });
    for (const steps of [-2, 2])
      expect(errorOf(await submitCode(session, codeOf(secret, steps)))).toEqual(WRONG_CODE);
    await pool.query("DELETE FROM pin_failures");
    let token = tokenOf(await submitCode(session, codeOf(secret, -1)));
    token = tokenOf(await submitCode(token, codeOf(secret, 1)));
    for (const steps of [1, 0])
      expect(errorOf(await submitCode(own, codeOf(secret, steps)))).toEqual(WRONG_CODE);
    expect((await edge(token).get("/me")).status).toBe(200);
  });

  it("accepts a code once, even for concurrent requests to two processes", async () => {
    const { secret, session } = await awaitingSession();
    const other = (await signIn()).session;
    const code = codeOf(secret);
    const responses = await Promise.all([
      consoleClient(server, session).post("/second-factor/totp", { code }),
      consoleClient(second, other).post("/second-factor/totp", { code }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it("is locked after the third wrong code, and then rejects even valid codes and recovery codes", async () => {
    const { secret, session, recovery_codes: codes } = await awaitingSession();
    for (let i = 0; i < 3; i += 1) expect(errorOf(await submitCode(session, "000000"))).toEqual(WRONG_CODE);
    expect(errorOf(await submitCode(session, codeOf(secret)))).toEqual(LOCKED);
    expect(errorOf(await submitRecoveryCode(session, codes[0] ?? ""))).toEqual(LOCKED);
    expect(server.logs()).toContain("wrong_code");
    expect(server.logs()).not.toContain(codeOf(secret));
  });

  it("rejects a code generated from another secret", async () => {
    const { session } = await awaitingSession();
    const mine = new TOTP({ secret: new Secret({ size: 20 }) });
    expect(errorOf(await submitCode(session, mine.generate()))).toEqual(WRONG_CODE);
  });
});

describe("recovery code", () => {
  it("signs in once, even in lower case with spaces, and is audited", async () => {
    const { session, recovery_codes: codes } = await awaitingSession();
    const other = (await signIn()).session;
    const [code = "", ...rest] = codes;
    const spelt = code.toLowerCase().replaceAll("-", " ");
    const responses = await Promise.all([
      submitRecoveryCode(session, spelt),
      submitRecoveryCode(other, spelt),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    const token = tokenOf(responses.find(({ status }) => status === 200) ?? responses[0]);
    const { second_factor: left } = dataOf(consoleMeResponseSchema, await edge(token).get("/me"));
    expect(left.recovery_codes_left).toBe(9);
    expect((await records())[0]?.action).toBe("console_user.recovery_code_used");
    expect(errorOf(await submitRecoveryCode(token, code))).toEqual(WRONG_CODE);
    expect((await submitRecoveryCode(token, rest[0] ?? "")).status).toBe(200);
  });

  it("is rejected for another user", async () => {
    const { session } = await awaitingSession();
    const other = await addConsoleUser(sandbox, "otto@example.com", merchantId);
    await prisma.$executeRaw`INSERT INTO console_recovery_codes (user_id, code_hash) VALUES (${other}::uuid, sha256('ABCD'))`;
    expect(errorOf(await submitRecoveryCode(session, "ABCD"))).toEqual(WRONG_CODE);
  });

  it("stops working once new codes are created, which requires a recently verified second factor", async () => {
    const { session, recovery_codes: old, secret } = await turnOnApp();
    await changeSessions("second_factor_at = second_factor_at - interval '10 minutes'");
    expect(errorOf(await edge(session).post("/second-factor/recovery-codes"))).toEqual(NOT_FRESH);
    const token = tokenOf(await submitCode(session, codeOf(secret)));
    await changeSessions("second_factor_at = second_factor_at - interval '9 minutes 50 seconds'");
    const renewed = await edge(token).post("/second-factor/recovery-codes");
    const codes = dataOf(consoleRecoveryCodesResponseSchema, renewed).recovery_codes;
    expect(errorOf(await submitRecoveryCode(token, old[0] ?? ""))).toEqual(WRONG_CODE);
    expect((await submitRecoveryCode(token, codes[0] ?? "")).status).toBe(200);
    expect((await records()).map(({ action }) => action)).toContain("console_user.recovery_codes");
  });
});

describe("turning off the authenticator app", () => {
  it("requires a recently verified second factor, and deletes the secret and, without a passkey, the recovery codes", async () => {
    const { session, secret, recovery_codes: codes } = await turnOnApp();
    await changeSessions("second_factor_at = second_factor_at - interval '10 minutes'");
    expect(errorOf(await edge(session).post("/second-factor/totp/turn-off"))).toEqual(NOT_FRESH);
    const token = tokenOf(await submitCode(session, codeOf(secret)));
    expect((await edge(token).post("/second-factor/totp/turn-off")).status).toBe(200);
    const { second_factor: left } = dataOf(consoleMeResponseSchema, await edge(token).get("/me"));
    expect(left).toEqual({ totp: false, passkeys: [], recovery_codes_left: 0, fresh_until: null });
    expect(errorOf(await edge(token).post("/second-factor/totp/turn-off")).texts).toEqual([
      "Set up a second factor first",
    ]);
    expect(errorOf(await submitRecoveryCode(token, codes[0] ?? ""))).toEqual(WRONG_CODE);
    expect((await signIn()).state).toBe("signed_in");
    expect((await records())[0]?.action).toBe("console_user.totp_off");
  });

  it("is audited in the platform's chain for an administrator", async () => {
    const { id } = await prisma.consoleUser.findUniqueOrThrow({
      where: { email: sandbox.access.administrator.email },
    });
    await signInUser(sandbox, id);
    const { password } = sandbox.access.administrator;
    const { secret } = dataOf(consoleTotpStartResponseSchema, await start(sessionTokenOf(id), password));
    const on = await edge(sessionTokenOf(id)).post("/second-factor/totp/confirm", { code: codeOf(secret) });
    await edge(dataOf(consoleSecondFactorOnResponseSchema, on).session).post("/second-factor/totp/turn-off");
    const created = await prisma.auditRecord.findMany({ where: { subject: id }, orderBy: { id: "asc" } });
    expect(created.map(({ action, merchantId: chain }) => [action, chain])).toEqual([
      ["console_user.totp_on", null],
      ["console_user.totp_off", null],
    ]);
  });
});
