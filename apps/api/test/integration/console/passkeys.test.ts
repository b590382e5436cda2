import {
  consoleMeResponseSchema,
  consoleSecondFactorOnResponseSchema,
  consoleSessionTokenResponseSchema,
  consoleTotpStartResponseSchema,
  passkeyOptionsResponseSchema,
} from "@tillgate/contract";
import { hashPassword } from "@tillgate/database";
import { TOTP } from "otpauth";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Authenticator } from "../../support/authenticator.js";
import { type ApiResponse, errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { addConsoleUser, consoleClient, dataOf, sessionTokenOf, signInUser } from "./console-client.js";

const ORIGIN = "https://console.example.com";
const { sandbox, server, merchantId } = await createTestApi({
  environment: { TILLGATE_CONSOLE_URL: ORIGIN },
});
const { prisma, pool } = sandbox.database;
const PASSWORD = "a long enough password";
const EMAIL = "paula@example.com";
let userId: string;
let otherId: string;

beforeAll(async () => {
  userId = await addConsoleUser(sandbox, EMAIL, merchantId);
  otherId = await addConsoleUser(sandbox, "other@example.com", merchantId);
  const passwordHash = await hashPassword(PASSWORD);
  await prisma.consoleUser.updateMany({ where: { id: { in: [userId, otherId] } }, data: { passwordHash } });
});
beforeEach(async () => {
  await prisma.consolePasskey.deleteMany({});
  await prisma.consoleTotp.deleteMany({ where: { userId } });
  await prisma.consoleRecoveryCode.deleteMany({ where: { userId } });
  await prisma.consoleSession.deleteMany({ where: { userId: { in: [userId, otherId] } } });
  await pool.query("DELETE FROM pin_failures");
  for (const id of [userId, otherId]) await signInUser(sandbox, id);
});

const edge = (token: string) => consoleClient(server, token);
const optionsOf = (response: ApiResponse) => dataOf(passkeyOptionsResponseSchema, response).options;
const startRegistration = (token = sessionTokenOf(userId), password = PASSWORD) =>
  edge(token).post("/second-factor/passkeys/start", { password });
const confirmRegistration = (token: string, credential: unknown, name = "Laptop") =>
  edge(token).post("/second-factor/passkeys/confirm", { name, credential });
async function addPasskey(authenticator = new Authenticator(ORIGIN), token = sessionTokenOf(userId)) {
  const created = authenticator.create(optionsOf(await startRegistration(token)));
  return {
    authenticator,
    ...dataOf(consoleSecondFactorOnResponseSchema, await confirmRegistration(token, created)),
  };
}
const signIn = async () =>
  dataOf(
    consoleSessionTokenResponseSchema,
    await consoleClient(server).post("/sign-in", { email: EMAIL, password: PASSWORD }),
  );
const signingOptions = async (token: string) =>
  optionsOf(await edge(token).post("/second-factor/passkey/start"));
const presentPasskey = (token: string, credential: unknown) =>
  edge(token).post("/second-factor/passkey", { credential });
const me = async (token: string) =>
  dataOf(consoleMeResponseSchema, await edge(token).get("/me")).second_factor;
const actions = async () =>
  (await prisma.auditRecord.findMany({ where: { subject: userId }, orderBy: { id: "desc" } })).map(
    ({ action }) => action,
  );
const PASSKEY_REJECTED = { status: 401, texts: ["The passkey was not accepted. Try again"] };

describe("passkey of a console user", () => {
  it("is added with the password, ends all earlier sessions, shows recovery codes, and is listed by name", async () => {
    const other = (await signIn()).session;
    const options = optionsOf(await startRegistration());
    expect(options).toMatchObject({
      rp: { id: "console.example.com", name: "Tillgate" },
      user: { name: EMAIL },
      attestation: "none",
    });
    const confirmed = await confirmRegistration(
      sessionTokenOf(userId),
      new Authenticator(ORIGIN).create(options),
      "Paula's key",
    );
    const on = dataOf(consoleSecondFactorOnResponseSchema, confirmed);
    expect(on.recovery_codes).toHaveLength(10);
    for (const token of [other, sessionTokenOf(userId)])
      expect((await edge(token).get("/me")).status).toBe(401);
    expect(await me(on.session)).toMatchObject({
      totp: false,
      passkeys: [{ name: "Paula's key", last_used_at: null }],
      recovery_codes_left: 10,
      fresh_until: expect.any(String),
    });
    expect((await actions())[0]).toBe("console_user.passkey_on");
  });

  it("completes a sign-in that awaits a second factor, and issues a new token", async () => {
    const { authenticator } = await addPasskey();
    const { session, state } = await signIn();
    expect(state).toBe("second_factor");
    const options = await signingOptions(session);
    expect(options).toMatchObject({ rpId: "console.example.com" });
    const token = dataOf(
      consoleSessionTokenResponseSchema,
      await presentPasskey(session, authenticator.sign(options)),
    );
    expect((await edge(session).get("/me")).status).toBe(401);
    expect((await me(token.session)).passkeys[0]?.last_used_at).not.toBeNull();
  });

  it("accepts a signature once, even if it is sent twice concurrently", async () => {
    const { authenticator } = await addPasskey();
    const { session } = await signIn();
    const signed = authenticator.sign(await signingOptions(session));
    const responses = await Promise.all([presentPasskey(session, signed), presentPasskey(session, signed)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    const again = (await signIn()).session;
    await signingOptions(again);
    expect(errorOf(await presentPasskey(again, signed))).toEqual(PASSKEY_REJECTED);
  });

  it("is rejected for another origin, relying party, key or session, and for an expired challenge", async () => {
    const { authenticator } = await addPasskey();
    const { session } = await signIn();
    const forgeries: Authenticator[] = [
      new Authenticator("https://console.example.org"),
      new Authenticator(ORIGIN, "example.org"),
      new Authenticator(ORIGIN),
    ];
    for (const forged of forgeries) {
      const mine = authenticator.sign({ challenge: "x" });
      const signed = forged.sign(await signingOptions(session));
      // The user's passkey ID with another key's signature.
      expect(errorOf(await presentPasskey(session, { ...signed, id: mine.id, rawId: mine.rawId }))).toEqual(
        PASSKEY_REJECTED,
      );
      expect(errorOf(await presentPasskey(session, signed))).toEqual(PASSKEY_REJECTED);
      await pool.query("DELETE FROM pin_failures");
    }
    const late = authenticator.sign(await signingOptions(session));
    await pool.query(
      "UPDATE console_sessions SET passkey_challenge_until = clock_timestamp() WHERE passkey_challenge IS NOT NULL AND user_id = $1",
      [userId],
    );
    expect(errorOf(await presentPasskey(session, late))).toEqual(PASSKEY_REJECTED);
    const ofOther = (await signIn()).session;
    expect(errorOf(await presentPasskey(ofOther, authenticator.sign(await signingOptions(session))))).toEqual(
      PASSKEY_REJECTED,
    );
    expect(server.logs()).toContain("rejected a passkey");
  });

  it("is rejected as a copy if its counter does not increase", async () => {
    const { authenticator } = await addPasskey();
    const { session } = await signIn();
    const token = dataOf(
      consoleSessionTokenResponseSchema,
      await presentPasskey(session, authenticator.sign(await signingOptions(session))),
    ).session;
    authenticator.counter = 0;
    expect(errorOf(await presentPasskey(token, authenticator.sign(await signingOptions(token))))).toEqual(
      PASSKEY_REJECTED,
    );
    expect((await presentPasskey(token, authenticator.sign(await signingOptions(token)))).status).toBe(200);
  });

  it("cannot be added without the password, for another origin, twice, or without confirmation by an existing passkey", async () => {
    expect(errorOf(await startRegistration(undefined, "wrong")).status).toBe(401);
    const foreign = new Authenticator("https://evil.example.com", "console.example.com");
    const created = foreign.create(optionsOf(await startRegistration()));
    expect(errorOf(await confirmRegistration(sessionTokenOf(userId), created))).toEqual(PASSKEY_REJECTED);

    const stale = optionsOf(await startRegistration());
    const { authenticator, session } = await addPasskey();
    expect(errorOf(await confirmRegistration(session, new Authenticator(ORIGIN).create(stale)))).toEqual(
      PASSKEY_REJECTED,
    );
    const again = authenticator.create(optionsOf(await startRegistration(session)));
    expect(errorOf(await confirmRegistration(session, again))).toEqual(PASSKEY_REJECTED);
    await pool.query("UPDATE console_sessions SET second_factor_at = NULL WHERE user_id = $1", [userId]);
    expect(errorOf(await startRegistration(session))).toEqual({
      status: 403,
      texts: ["Confirm this with your second factor"],
    });
  });

  it("has a name of 1 to 60 characters, and a user has at most ten passkeys", async () => {
    const { session } = await addPasskey();
    const named = async (name: string) => {
      const credential = new Authenticator(ORIGIN).create(optionsOf(await startRegistration(session)));
      return (await confirmRegistration(session, credential, name)).status;
    };
    expect(await named("")).toBe(400);
    expect(await named("n".repeat(61))).toBe(400);
    await prisma.consolePasskey.createMany({
      data: Array.from({ length: 8 }, (_, at) => ({
        userId,
        credentialId: `made${at}`,
        publicKey: Buffer.of(0),
        counter: 0,
        name: `made ${at}`,
      })),
    });
    const tenth = new Authenticator(ORIGIN).create(optionsOf(await startRegistration(session)));
    const on = dataOf(
      consoleSecondFactorOnResponseSchema,
      await confirmRegistration(session, tenth, "n".repeat(60)),
    );
    expect(on.recovery_codes).toEqual([]);
    expect(errorOf(await startRegistration(on.session))).toEqual({
      status: 409,
      texts: ["You've reached the limit of 10 passkeys. Remove one first."],
    });
  });

  it("is renamed and removed only by its user; removing the last second factor deletes the recovery codes", async () => {
    const { session } = await addPasskey();
    const [passkey] = (await me(session)).passkeys;
    const path = `/second-factor/passkeys/${passkey?.passkey_id}`;
    for (const act of ["rename", "remove"]) {
      await prisma.consolePasskey.create({
        data: { userId: otherId, credentialId: act, publicKey: Buffer.of(0), counter: 0, name: "mine" },
      });
      await prisma.consoleSession.updateMany({
        where: { userId: otherId },
        data: { secondFactorAt: new Date() },
      });
      const response = await edge(sessionTokenOf(otherId)).post(`${path}/${act}`, { name: "theirs" });
      expect(errorOf(response)).toEqual({ status: 404, texts: ["Passkey not found"] });
    }
    expect((await edge(session).post(`${path}/rename`, { name: "Phone" })).status).toBe(200);
    expect((await me(session)).passkeys[0]?.name).toBe("Phone");
    expect((await edge(session).post(`${path}/remove`)).status).toBe(200);
    expect(await me(session)).toMatchObject({ passkeys: [], recovery_codes_left: 0, fresh_until: null });
    expect((await signIn()).state).toBe("signed_in");
    expect((await actions())[0]).toBe("console_user.passkey_off");
  });

  it("can be used alongside an authenticator app; removing the app keeps the passkey and the recovery codes", async () => {
    const { session, authenticator } = await addPasskey();
    const { secret } = dataOf(
      consoleTotpStartResponseSchema,
      await edge(session).post("/second-factor/totp/start", { password: PASSWORD }),
    );
    const code = new TOTP({ secret }).generate();
    const on = dataOf(
      consoleSecondFactorOnResponseSchema,
      await edge(session).post("/second-factor/totp/confirm", { code }),
    );
    expect(on.recovery_codes).toEqual([]);
    expect((await edge(on.session).post("/second-factor/totp/turn-off")).status).toBe(200);
    expect(await me(on.session)).toMatchObject({ totp: false, recovery_codes_left: 10 });
    expect((await edge(on.session).post("/second-factor/recovery-codes")).status).toBe(200);
    const { session: waits } = await signIn();
    expect((await presentPasskey(waits, authenticator.sign(await signingOptions(waits)))).status).toBe(200);
  });

  it("is unavailable if the console has no configured URL", async () => {
    const plain = await sandbox.startApi();
    const response = await consoleClient(plain, sessionTokenOf(userId)).post(
      "/second-factor/passkeys/start",
      {
        password: PASSWORD,
      },
    );
    expect(errorOf(response)).toEqual({ status: 409, texts: ["Passkeys are not available here yet"] });
  });
});

describe("POST /password", () => {
  const change = (token: string, password: string, new_password: string) =>
    edge(token).post("/password", { password, new_password });
  const NEXT = "another long password";

  it("changes the password if the current password is correct, ends the other sessions, and is audited", async () => {
    const other = (await signIn()).session;
    expect(errorOf(await change(sessionTokenOf(userId), "wrong", NEXT)).status).toBe(401);
    expect((await change(sessionTokenOf(userId), PASSWORD, "x".repeat(11))).status).toBe(400);
    expect((await change(sessionTokenOf(userId), PASSWORD, NEXT)).status).toBe(200);
    expect((await edge(other).get("/me")).status).toBe(401);
    expect((await edge(sessionTokenOf(userId)).get("/me")).status).toBe(200);
    expect((await actions())[0]).toBe("console_user.password");
    const late = await Promise.all([
      change(sessionTokenOf(userId), NEXT, PASSWORD),
      change(sessionTokenOf(userId), NEXT, `${PASSWORD}!`),
    ]);
    expect(late.map(({ status }) => status).sort()).toEqual([200, 401]);
    await prisma.consoleUser.update({
      where: { id: userId },
      data: { passwordHash: await hashPassword(PASSWORD) },
    });
  });

  it("rejects a user whose second factor was not verified recently", async () => {
    const { session } = await addPasskey();
    await pool.query("UPDATE console_sessions SET second_factor_at = NULL WHERE user_id = $1", [userId]);
    expect(errorOf(await change(session, PASSWORD, NEXT)).status).toBe(403);
  });
});
