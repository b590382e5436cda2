import { balancesResponseSchema } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { addApiToken, addPartner, addRecipient, openWallet, partnerApi } from "../../support/partner.js";
import { errorOf, send } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const BASE = "/api/partner/sandbox/v1";
const ALIAS = "/api/partner/v1";
const ENDPOINTS = [
  ["POST", "/lookup"],
  ["POST", "/quote"],
  ["POST", "/payout"],
  ["GET", "/payout/POAAAAAAAA"],
  ["GET", "/balance"],
] as const;
const INVALID = { status: 401, texts: ["Invalid API credentials."] };

const { sandbox, server } = await createTestApi();

const call = (method: string, path: string, authorization?: string, base: string = BASE) =>
  send(server.url + base + path, {
    method,
    headers: {
      "content-type": "application/json",
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(method === "POST" ? { body: "{}" } : {}),
  });

describe("Partner API", () => {
  it.each(ENDPOINTS)(
    "rejects %s %s without a valid token with 401 and a Bearer challenge",
    async (method, path) => {
      const { api_token, client_id, client_secret } = sandbox.access.merchant;
      const wrong = [
        undefined,
        "",
        "Bearer",
        "Bearer ",
        `Bearer ${api_token}x`,
        `Bearer ${api_token} x`,
        `Bearer ${api_token.toUpperCase()}`,
        `Bearer ${client_secret}`,
        `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`,
        `Bearer ${"a".repeat(4_000)}`,
        api_token,
      ];
      for (const authorization of wrong) {
        const response = await expectNoWrites(sandbox, () => call(method, path, authorization));
        expect(errorOf(response)).toEqual(INVALID);
        expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
      }
    },
  );

  it.each(ENDPOINTS)(
    "immediately rejects a revoked or expired token, and any token while the merchant is suspended or its Partner API is disabled: %s %s",
    async (method, path) => {
      const { prisma } = sandbox.database;
      const { merchantId, token } = await addPartner(sandbox);
      const authorization = `Bearer ${token}`;
      const passed = statusOf(await call(method, path, authorization));
      expect([200, 404, 422]).toContain(passed);
      const merchant = (data: { suspendedAt?: Date | null; partnerApiEnabled?: boolean }) =>
        prisma.merchant.update({ where: { id: merchantId }, data });
      await merchant({ partnerApiEnabled: false });
      expect(errorOf(await call(method, path, authorization))).toEqual({
        status: 403,
        texts: ["Partner payout API is not enabled for this account."],
      });
      await merchant({ partnerApiEnabled: true, suspendedAt: new Date() });
      expect(errorOf(await call(method, path, authorization)).status).toBe(403);
      await merchant({ suspendedAt: null });
      const credential = { where: { merchantId, kind: "api_token" } as const };
      await prisma.credential.updateMany({
        ...credential,
        data: { expiresAt: new Date(Date.now() - 1_000) },
      });
      expect(errorOf(await call(method, path, authorization))).toEqual(INVALID);
      await prisma.credential.updateMany({
        ...credential,
        data: { expiresAt: new Date(Date.now() + 60_000) },
      });
      expect(statusOf(await call(method, path, authorization))).toBe(passed);
      await prisma.credential.updateMany({ ...credential, data: { revokedAt: new Date() } });
      expect(errorOf(await call(method, path, authorization))).toEqual(INVALID);
    },
  );

  it("checks the token, and that the merchant's Partner API is enabled, before the fields", async () => {
    const { merchantId, token } = await addPartner(sandbox);
    expect(errorOf(await call("POST", "/payout", "Bearer x"))).toEqual(INVALID);
    await sandbox.database.prisma.merchant.update({
      where: { id: merchantId },
      data: { partnerApiEnabled: false },
    });
    expect(errorOf(await call("POST", "/payout", `Bearer ${token}`)).status).toBe(403);
  });

  it("selects the mode by the token on both paths, and hides the other mode's balances and recipients", async () => {
    const partner = await addPartner(sandbox, { wallets: { EUR: 700n } });
    const live = await addApiToken(sandbox, partner.merchantId, "live");
    await openWallet(sandbox, { merchantId: partner.merchantId, kind: "merchant" }, "live", "EUR", 300n);
    const sandboxRecipient = await addRecipient(sandbox);
    const liveRecipient = await addRecipient(sandbox, { EUR: 0n }, "live");
    for (const path of [BASE, ALIAS])
      for (const [token, balance, mine, foreign] of [
        [partner.token, 7, sandboxRecipient, liveRecipient],
        [live, 3, liveRecipient, sandboxRecipient],
      ] as const) {
        const api = partnerApi(server, token, path);
        const { data } = balancesResponseSchema.parse((await api.get("/balance")).body);
        expect(data.balances).toEqual([{ currency_code: "EUR", currency_symbol: "€", balance }]);
        expect((await api.post("/lookup", { email: mine.email })).status).toBe(200);
        expect(errorOf(await api.post("/lookup", { email: foreign.email })).status).toBe(404);
      }
  });

  it.each([
    ["GET", "/lookup", "POST"],
    ["GET", "/quote", "POST"],
    ["DELETE", "/payout", "POST"],
    ["POST", "/payout/POAAAAAAAA", "GET, HEAD"],
    ["POST", "/balance", "GET, HEAD"],
  ])("responds to %s %s with 405 and Allow: %s", async (method, path, allowed) => {
    const response = await call(method, path, `Bearer ${sandbox.access.merchant.api_token}`);
    expect(errorOf(response)).toEqual({ status: 405, texts: ["Method not allowed"] });
    expect(response.headers.get("allow")).toBe(allowed);
  });

  it("returns 400 for malformed JSON, 422 for a body that is not an object, and 415 for another content type", async () => {
    const { api_token } = sandbox.access.merchant;
    const api = partnerApi(server, api_token);
    for (const path of ["/lookup", "/quote", "/payout"]) {
      expect(errorOf(await api.postText(path, "{")).status).toBe(400);
      for (const body of ["null", "[]", '"x"', "5"])
        expect(errorOf(await api.postText(path, body))).toEqual({
          status: 422,
          texts: ["Validation error"],
          fields: { body: ["The body must be a JSON object"] },
        });
      const form = await send(server.url + BASE + path, {
        method: "POST",
        headers: { authorization: `Bearer ${api_token}`, "content-type": "text/plain" },
        body: "{}",
      });
      expect(errorOf(form).status).toBe(415);
    }
  });
});

const statusOf = (response: Awaited<ReturnType<typeof send>>): number =>
  response.status === 200 ? 200 : errorOf(response).status;
