import { createSecretKey, type KeyObject } from "node:crypto";
import { tokenResponseSchema } from "@tillgate/contract";
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { signingKey } from "../../../src/identity/credentials/access-token.js";
import {
  addCredential,
  addLiveCredential,
  type ClientCredentials,
  merchantIdOf,
} from "../../support/parties.js";
import { type ApiResponse, errorOf, send } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const SANDBOX = "/pay/sandbox/api/v1";
const LIVE = "/pay/api/v1";
const INVALID = { status: 403, texts: ["Requested with invalid token!"] };

const { sandbox, server } = await createTestApi();

const requestToken = (fields: unknown, base = SANDBOX): Promise<ApiResponse> =>
  send(`${server.url}${base}/authentication/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(fields),
  });

const requestTokenWith = (
  { client_id, client_secret }: ClientCredentials,
  base = SANDBOX,
): Promise<ApiResponse> => requestToken({ client_id, secret_id: client_secret }, base);

function readToken({ status, body, text }: ApiResponse): string {
  expect({ status, text }).toMatchObject({ status: 200 });
  const response = tokenResponseSchema.strict().parse(body);
  expect(response).toEqual(body);
  expect(response.message).toEqual({ code: 200, success: ["SUCCESS"] });
  expect(Object.keys(response.data)).toEqual(["access_token", "expire_time"]);
  expect(response.data.expire_time).toBe(600);
  return response.data.access_token;
}

/** Sends a request without fields. If the token is valid, the API rejects the missing fields. */
const callWithToken = (token: string | undefined, base = SANDBOX): Promise<ApiResponse> =>
  send(`${server.url}${base}/payment/create`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: "{}",
  });

async function expectPasses(token: string, base = SANDBOX): Promise<void> {
  expect(errorOf(await callWithToken(token, base))).toMatchObject({
    status: 400,
    fields: { amount: [expect.any(String)] },
  });
}

describe("POST /authentication/token", () => {
  it("returns a token that expires after 600 seconds, with merchant, credential, mode and signing key ID", async () => {
    const { merchant } = sandbox.access;
    const token = readToken(await requestTokenWith(merchant));
    const { id, merchantId } = await sandbox.database.prisma.credential.findFirstOrThrow({
      where: { clientId: merchant.client_id },
    });
    expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", typ: "at+jwt", kid: "test" });
    const claims = decodeJwt(token);
    expect(claims).toEqual({
      iss: "tillgate",
      aud: "pay-api",
      sub: merchantId,
      cid: id,
      mode: "sandbox",
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 600,
    });
    await expectPasses(token);
  });

  it("ignores unknown fields", async () => {
    const { client_id, client_secret } = sandbox.access.merchant;
    readToken(await requestToken({ client_id, secret_id: client_secret, grant_type: "x", amount: null }));
  });

  it("returns the same error for an unknown client, a wrong secret and another merchant's secret", async () => {
    const { merchant, other_merchant } = sandbox.access;
    const wrong = [
      { ...merchant, client_secret: "wrong" },
      { ...merchant, client_secret: `${merchant.client_secret} ` },
      { ...merchant, client_secret: merchant.client_secret.toUpperCase() },
      { ...merchant, client_secret: other_merchant.client_secret },
      { ...merchant, client_id: "unknown" },
      { ...merchant, client_id: other_merchant.client_id },
      { ...merchant, client_secret: merchant.api_token },
      { client_id: "𝕏é", client_secret: "𝕏é" },
    ];
    for (const access of wrong)
      expect(errorOf(await requestTokenWith(access))).toEqual({ status: 400, texts: ["Invalid secret ID"] });
  });

  it.each([
    [undefined, "is required"],
    [null, "is required"],
    ["", "is required"],
    ["  ", "is required"],
    [7, "must be text"],
    [["a"], "must be text"],
    [{}, "must be text"],
    ["a\u0000", "must not contain NUL characters or invalid Unicode"],
    ["\ud83d", "must not contain NUL characters or invalid Unicode"],
    ["𝕏".repeat(256), "must not be longer than 255 characters"],
  ])("rejects a client_id or secret_id that is %j: %s", async (value, rest) => {
    const right = { client_id: "a", secret_id: "𝕏".repeat(255) };
    expect(errorOf(await requestToken(right))).toEqual({ status: 400, texts: ["Invalid secret ID"] });
    for (const field of ["client_id", "secret_id"]) {
      const sentence = `The ${field} field ${rest}`;
      expect(errorOf(await requestToken({ ...right, [field]: value }))).toEqual({
        status: 400,
        texts: [sentence],
        fields: { [field]: [sentence] },
      });
    }
  });

  it("rejects a key of the other mode, and reveals its mode only with the correct secret", async () => {
    const live = await addLiveCredential(sandbox, sandbox.access.merchant.client_id);
    const hint = (mode: string) => ({ status: 400, texts: [`Invalid secret ID. This is a ${mode} key.`] });
    expect(errorOf(await requestTokenWith(live))).toEqual(hint("live"));
    expect(errorOf(await requestTokenWith(sandbox.access.merchant, LIVE))).toEqual(hint("sandbox"));
    expect(errorOf(await requestTokenWith({ ...live, client_secret: "wrong" }))).toEqual({
      status: 400,
      texts: ["Invalid secret ID"],
    });
    await expectPasses(readToken(await requestTokenWith(live, LIVE)), LIVE);
  });

  it("rejects a revoked credential", async () => {
    const merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
    const access = await addCredential(sandbox, merchantId, "sandbox");
    readToken(await requestTokenWith(access));
    await revoke(access);
    expect(errorOf(await requestTokenWith(access))).toEqual({ status: 400, texts: ["Invalid secret ID"] });
  });
});

const revoke = ({ client_id }: ClientCredentials) =>
  sandbox.database.pool.query("UPDATE credentials SET revoked_at = clock_timestamp() WHERE client_id = $1", [
    client_id,
  ]);

describe("access token", () => {
  type Claims = Record<string, unknown>;
  const rightClaims = async (): Promise<Claims> =>
    decodeJwt(readToken(await requestTokenWith(sandbox.access.merchant)));
  const rightHeader = { alg: "HS256", typ: "at+jwt", kid: "test" };

  function key(use: "access token" | "form token" = "access token"): KeyObject {
    const found = signingKey(sandbox.keyring, "test", use);
    if (!found) throw new Error("the test's key is missing");
    return found;
  }

  const sign = (claims: Claims, header: Record<string, string> = {}, by = key()): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ ...rightHeader, ...header }).sign(by);

  it("is accepted if it is signed with the API's key", async () => {
    await expectPasses(await sign(await rightClaims()));
  });

  it("is rejected from the second in which it expires", async () => {
    const claims = await rightClaims();
    const now = Math.floor(Date.now() / 1000);
    for (const exp of [now, now - 1, now - 86_400])
      expect(errorOf(await callWithToken(await sign({ ...claims, iat: now - 600, exp })))).toEqual(INVALID);
    await expectPasses(await sign({ ...claims, exp: now + 5 }));
  });

  it("is rejected if unsigned, altered, or signed with a different algorithm, key, type or key ID", async () => {
    const claims = await rightClaims();
    const good = await sign(claims);
    const [head = "", body = "", signature = ""] = good.split(".");
    const forged = [
      new UnsecuredJWT(claims).encode(),
      `${Buffer.from(JSON.stringify({ ...rightHeader, alg: "none" })).toString("base64url")}.${body}.${signature}`,
      `${head}.${body}.`,
      `${head}.${Buffer.from(JSON.stringify({ ...claims, mode: "live" })).toString("base64url")}.${signature}`,
      await sign(claims, { alg: "HS512" }),
      await sign(claims, { typ: "JWT" }),
      await sign(claims, { kid: "other" }),
      await new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ: "at+jwt" }).sign(key()),
      await sign(claims, {}, key("form token")),
      await sign(claims, {}, createSecretKey(new Uint8Array(32))),
    ];
    for (const token of forged) expect(errorOf(await callWithToken(token))).toEqual(INVALID);
  });

  it("is rejected with wrong or missing claims even if the signature is valid", async () => {
    const claims = await rightClaims();
    const other = await sandbox.database.prisma.credential.findFirstOrThrow({
      where: { clientId: sandbox.access.other_merchant.client_id },
    });
    const apiToken = await sandbox.database.prisma.credential.findFirstOrThrow({
      where: { merchantId: String(claims.sub), kind: "api_token" },
    });
    const changes: Claims[] = [
      { iss: "somebody" },
      { aud: "partner-api" },
      { mode: "live" },
      { mode: "test" },
      { cid: other.id },
      { cid: apiToken.id },
      { cid: "x" },
      { sub: other.merchantId },
      { sub: 7 },
      { exp: undefined },
      { exp: "never" },
      { cid: undefined },
      { mode: undefined },
      { nbf: Math.floor(Date.now() / 1000) + 60 },
    ];
    for (const change of changes)
      expect(errorOf(await callWithToken(await sign({ ...claims, ...change })))).toEqual(INVALID);
  });

  it.each([undefined, "", "x", "a.b.c", "..", "\u00ff", "a".repeat(5_000)])(
    "is rejected if it is %j",
    async (token) => {
      expect(errorOf(await callWithToken(token))).toEqual(INVALID);
    },
  );

  it("requires the Bearer scheme, which may be in mixed case", async () => {
    const token = readToken(await requestTokenWith(sandbox.access.merchant));
    const withHeader = (authorization: string) =>
      send(`${server.url}${SANDBOX}/payment/create`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization },
        body: "{}",
      });
    for (const header of [
      `Basic ${token}`,
      token,
      `Bearer ${token} x`,
      `Bearer ${sandbox.access.merchant.api_token}`,
    ])
      expect(errorOf(await withHeader(header))).toEqual(INVALID);
    expect(errorOf(await withHeader(`bEARER ${token}`)).status).toBe(400);
  });

  it("is rejected in the other mode", async () => {
    const merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
    const live = await addCredential(sandbox, merchantId, "live");
    const tokens = {
      sandbox: readToken(await requestTokenWith(sandbox.access.merchant)),
      live: readToken(await requestTokenWith(live, LIVE)),
    };
    expect(errorOf(await callWithToken(tokens.live))).toEqual(INVALID);
    expect(errorOf(await callWithToken(tokens.sandbox, LIVE))).toEqual(INVALID);
  });

  it("is rejected immediately after its credential is revoked, and while its merchant is suspended", async () => {
    const merchantId = await merchantIdOf(sandbox, sandbox.access.other_merchant.client_id);
    const access = await addCredential(sandbox, merchantId, "sandbox");
    const revoked = readToken(await requestTokenWith(access));
    const suspended = readToken(await requestTokenWith(sandbox.access.other_merchant));
    await expectPasses(revoked);
    await revoke(access);
    expect(errorOf(await callWithToken(revoked))).toEqual(INVALID);
    await expectPasses(suspended);
    const suspend = (at: Date | null) =>
      sandbox.database.prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt: at } });
    await suspend(new Date());
    expect(errorOf(await expectNoWrites(sandbox, () => callWithToken(suspended)))).toEqual(INVALID);
    expect(errorOf(await requestTokenWith(sandbox.access.other_merchant)).status).toBe(403);
    await suspend(null);
    await expectPasses(suspended);
  });
});
