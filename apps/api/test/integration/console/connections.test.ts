import { createHash, randomBytes } from "node:crypto";
import {
  accountResponseSchema,
  CONNECT_PATH,
  type ConnectToken,
  connectTokenSchema,
  consoleConnectionsResponseSchema,
  consoleConnectResponseSchema,
  type Mode,
  successEnvelope,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { errorOf, payApi, send } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
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

const CONSOLE = "https://console.example.test";
const { sandbox, server, merchantId } = await createTestApi({
  environment: { TILLGATE_CONSOLE_URL: CONSOLE },
});
const { prisma } = sandbox.database;
let parties: ConsoleParties;
let owner: ConsoleClient;
const signedIn = (user: string): ConsoleClient => consoleClient(server, sessionTokenOf(user));
const path = (of = merchantId) => `/merchants/${of}/connections`;

beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  owner = signedIn(parties.user);
});

const SHOP = "https://shop.example";
/** Creates a shop's connection request with PKCE. `exchange` exchanges the code for credentials. */
function createConnectRequest(change: Record<string, unknown> = {}) {
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const request = {
    platform: "woocommerce",
    shop_name: "Kiln & Clover",
    shop_url: SHOP,
    return_url: `${SHOP}/wp-admin/admin-post.php?action=tillgate_connected`,
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...change,
  };
  const exchange = (code: string, fields: Record<string, unknown> = {}) =>
    send(`${server.url}${CONNECT_PATH}/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        grant_type: "authorization_code",
        code,
        code_verifier: verifier,
        redirect_uri: request.return_url,
        ...fields,
      }),
    });
  return { request, state, exchange };
}
type Shop = ReturnType<typeof createConnectRequest>;

/** Approves the connection. @returns the code for the shop. */
async function approve({ request, state }: Shop, api = owner): Promise<string> {
  const { return_to } = dataOf(consoleConnectResponseSchema, await api.post(path(), request));
  const url = new URL(return_to);
  expect(`${url.origin}${url.pathname}`).toBe(`${SHOP}/wp-admin/admin-post.php`);
  expect(url.searchParams.get("action")).toBe("tillgate_connected");
  expect(url.searchParams.get("state")).toBe(state);
  return url.searchParams.get("code") ?? "";
}
const readConnection = async (response: ReturnType<Shop["exchange"]>): Promise<ConnectToken> =>
  dataOf(successEnvelope(connectTokenSchema.strict()), await response);
const orders = (of: { client_id: string; client_secret: string }) =>
  payApi(server, of).get("/orders?per_page=1");
const EXCHANGE_REJECTED = { status: 400, texts: ["This code cannot be exchanged"] };

describe("connecting a shop", () => {
  it("redirects the owner to the console with the unchanged query string", async () => {
    const response = await fetch(`${server.url}${CONNECT_PATH}?state=a%26b&platform=woocommerce`, {
      redirect: "manual",
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(`${CONSOLE}/connect?state=a%26b&platform=woocommerce`);
  });

  it("issues credentials for both modes, with audit records that contain no secret", async () => {
    const shop = createConnectRequest();
    const code = await approve(shop);
    const response = await shop.exchange(code);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const received = dataOf(successEnvelope(connectTokenSchema.strict()), response);
    expect(received.merchant_name).toBe(sandbox.access.merchant.name);
    expect(received.console_url).toBe(`${CONSOLE}/m/${merchantId}`);
    expect(received.sandbox.client_id).toMatch(/^tg_test_/);
    expect(received.live?.client_id).toMatch(/^tg_live_/);
    expect((await orders(received.sandbox)).status).toBe(200);
    const records = await prisma.auditRecord.findMany({
      where: { merchantId, action: { in: ["credential.connect", "credential.create"] } },
      orderBy: { number: "desc" },
      take: 3,
    });
    expect(records.map(({ action }) => action).sort()).toEqual([
      "credential.connect",
      "credential.create",
      "credential.create",
    ]);
    const { connections } = dataOf(consoleConnectionsResponseSchema, await owner.get(path()));
    expect(connections[0]).toMatchObject({ shop_name: "Kiln & Clover", shop_origin: SHOP });
    for (const issued of [received.sandbox, received.live])
      expect(records.map(({ details }) => details).join()).not.toContain(issued?.client_secret);
  });

  it("issues sandbox credentials that GET /account accepts in the sandbox and rejects in live mode, like manually entered credentials", async () => {
    const shop = createConnectRequest();
    const { sandbox: credential } = await readConnection(shop.exchange(await approve(shop)));
    const pasted = sandbox.access.merchant;
    for (const { client_id, client_secret } of [credential, pasted]) {
      const accountIn = (mode: Mode) => payApi(server, { client_id, client_secret }, mode).get("/account");
      const account = dataOf(accountResponseSchema, await accountIn("sandbox"));
      expect(account).toEqual({
        merchant_name: pasted.name,
        mode: "sandbox",
        console_url: `${CONSOLE}/m/${merchantId}`,
      });
      expect((await accountIn("live")).status).toBe(401);
    }
  });

  it("issues new credentials when repeated, and keeps the previous credentials valid for a day", async () => {
    const [first, second] = [createConnectRequest(), createConnectRequest()];
    const before = await readConnection(first.exchange(await approve(first)));
    const after = await readConnection(second.exchange(await approve(second)));
    expect(after.sandbox.client_id).not.toBe(before.sandbox.client_id);
    expect((await orders(before.sandbox)).status).toBe(200);
    const { expiresAt } = await prisma.credential.findFirstOrThrow({
      where: { clientId: before.sandbox.client_id },
    });
    const hours = ((expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
  });

  it("issues no live credentials to a shop on localhost, because live orders reject its URL", async () => {
    const local = { shop_url: "http://localhost:8080", return_url: "http://localhost:8080/back" };
    const shop = createConnectRequest(local);
    const { return_to } = dataOf(consoleConnectResponseSchema, await owner.post(path(), shop.request));
    const received = await readConnection(shop.exchange(new URL(return_to).searchParams.get("code") ?? ""));
    expect(received.live).toBeNull();
  });

  it.each([
    ["a return URL on another host", { return_url: "https://evil.example/back" }],
    ["a return URL on another port", { return_url: `${SHOP}:8443/back` }],
    ["plain http", { shop_url: "http://shop.example", return_url: "http://shop.example/back" }],
    ["credentials in the return URL", { return_url: "https://a:b@shop.example/back" }],
    ["a fragment in the return URL", { return_url: `${SHOP}/back#x` }],
    ["a return URL that is not http", { return_url: "javascript:alert(1)" }],
    ["a WooCommerce return URL on the owner's machine", { return_url: "http://127.0.0.1:1024/back" }],
    ["no code challenge", { code_challenge: undefined }],
    ["a plain code challenge", { code_challenge_method: "plain" }],
    ["a short state", { state: "short" }],
    ["a blank shop name", { shop_name: " " }],
    ["a shop name of 101 characters", { shop_name: "x".repeat(101) }],
    ["a right-to-left override in the shop name", { shop_name: "Kiln \u202Emoc.knab" }],
    ["a line break in the shop name", { shop_name: "Kiln\nVerified" }],
    ["an unknown platform", { platform: "magento" }],
  ])("is rejected with %s", async (_, change) => {
    const before = await prisma.shopConnection.count();
    expect((await owner.post(path(), createConnectRequest(change).request)).status).toBe(400);
    expect(await prisma.shopConnection.count()).toBe(before);
  });

  it("accepts a connector's return URL on the owner's machine", async () => {
    const { request } = createConnectRequest({
      platform: "connector",
      return_url: "http://127.0.0.1:49152/back",
    });
    expect((await owner.post(path(), request)).status).toBe(200);
  });

  it("requires the right to create credentials, and a merchant that is not suspended", async () => {
    const finance = signedIn(
      await addConsoleUser(sandbox, "connect-finance@example.com", merchantId, "finance"),
    );
    expect((await finance.post(path(), createConnectRequest().request)).status).toBe(403);
    await prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt: new Date() } });
    const response = await owner.post(path(), createConnectRequest().request);
    await prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt: null } });
    expect(response.status).toBe(403);
  });
});

describe("connection code", () => {
  const createdCount = () => prisma.credential.count({ where: { merchantId, revokedAt: null } });

  it("is rejected if unknown or sent with the wrong verifier, URL or grant type, and remains usable after a failed attempt", async () => {
    const shop = createConnectRequest();
    const code = await approve(shop);
    const before = await createdCount();
    expect(errorOf(await shop.exchange("tgo_unknown"))).toEqual(EXCHANGE_REJECTED);
    expect(errorOf(await shop.exchange(code, { code_verifier: "v".repeat(43) }))).toEqual(EXCHANGE_REJECTED);
    expect(errorOf(await shop.exchange(code, { redirect_uri: `${SHOP}/other` }))).toEqual(EXCHANGE_REJECTED);
    expect((await shop.exchange(code, { code_verifier: "short" })).status).toBe(400);
    expect((await shop.exchange(code, { grant_type: "password" })).status).toBe(400);
    expect(await createdCount()).toBe(before);
    expect((await shop.exchange(code)).status).toBe(200);
  });

  it("is rejected after it expires", async () => {
    const shop = createConnectRequest();
    const code = await approve(shop);
    await sandbox.executeAsSuperuser(
      "UPDATE shop_connections SET expires_at = clock_timestamp() WHERE exchanged_at IS NULL",
    );
    expect(errorOf(await shop.exchange(code))).toEqual(EXCHANGE_REJECTED);
  });

  it("revokes the credentials it has issued if it is used twice", async () => {
    const shop = createConnectRequest();
    const code = await approve(shop);
    const received = await readConnection(shop.exchange(code));
    expect(errorOf(await shop.exchange(code))).toEqual(EXCHANGE_REJECTED);
    const left = await prisma.credential.count({
      where: { clientId: received.sandbox.client_id, revokedAt: null },
    });
    expect(left).toBe(0);
    const revoked = await prisma.auditRecord.findFirstOrThrow({
      where: { action: "credential.revoke" },
      orderBy: { number: "desc" },
    });
    expect(revoked.details).toContain("code exchanged twice");
  });

  it.each([
    [
      "became a viewer",
      (id: string) => prisma.consoleMember.updateMany({ where: { userId: id }, data: { role: "viewer" } }),
    ],
    ["left the merchant", (id: string) => prisma.consoleMember.deleteMany({ where: { userId: id } })],
    [
      "was disabled",
      (id: string) => prisma.consoleUser.update({ where: { id }, data: { disabledAt: new Date() } }),
    ],
  ])(
    "revokes the credentials it has issued if it is used twice and the user who authorized it %s",
    async (what, change) => {
      const user = await addConsoleUser(
        sandbox,
        `${what.replaceAll(" ", "-")}@example.com`,
        merchantId,
        "owner",
      );
      await addSecondFactor(sandbox, user);
      const shop = createConnectRequest();
      const code = await approve(shop, signedIn(user));
      const received = await readConnection(shop.exchange(code));
      await change(user);
      expect(errorOf(await shop.exchange(code))).toEqual(EXCHANGE_REJECTED);
      const clientIds = [received.sandbox.client_id, received.live?.client_id ?? ""];
      expect(await prisma.credential.count({ where: { clientId: { in: clientIds }, revokedAt: null } })).toBe(
        0,
      );
    },
  );

  it("is exchanged only once for concurrent requests", async () => {
    const shop = createConnectRequest();
    const code = await approve(shop);
    const responses = await Promise.all([shop.exchange(code), shop.exchange(code)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it("is not issued to a developer, who may not create keys that can refund", async () => {
    const user = await addConsoleUser(sandbox, "connect-developer@example.com", merchantId, "developer");
    await addSecondFactor(sandbox, user);
    expect(errorOf(await signedIn(user).post(path(), createConnectRequest().request)).status).toBe(403);
  });

  it("is invalid if the user who authorized it becomes a developer", async () => {
    const user = await addConsoleUser(sandbox, "connect-became@example.com", merchantId, "owner");
    await addSecondFactor(sandbox, user);
    const shop = createConnectRequest();
    const code = await approve(shop, signedIn(user));
    await prisma.consoleMember.updateMany({ where: { userId: user }, data: { role: "developer" } });
    const before = await createdCount();
    expect(errorOf(await shop.exchange(code))).toEqual(EXCHANGE_REJECTED);
    expect(await createdCount()).toBe(before);
  });

  it("is invalid if the user who authorized it leaves the merchant", async () => {
    const user = await addConsoleUser(sandbox, "connect-left@example.com", merchantId, "owner");
    await addSecondFactor(sandbox, user);
    const shop = createConnectRequest();
    const code = await approve(shop, signedIn(user));
    await prisma.consoleMember.deleteMany({ where: { user: { email: "connect-left@example.com" } } });
    const before = await createdCount();
    expect(errorOf(await shop.exchange(code))).toEqual(EXCHANGE_REJECTED);
    expect(await createdCount()).toBe(before);
  });
});
