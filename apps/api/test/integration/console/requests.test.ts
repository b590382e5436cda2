import {
  consoleCredentialListResponseSchema,
  consoleRequestListResponseSchema,
  consoleRequestResponseSchema,
} from "@tillgate/contract";
import { beforeAll, expect, it } from "vitest";
import { flushLastUsed } from "../../../src/identity/credentials/last-used.js";
import { createCredential } from "../../../src/identity/credentials/manage.js";
import { createRequestLog } from "../../../src/platform/request-log.js";
import { writeRequests } from "../../../src/platform/write-requests.js";
import { openPage } from "../../support/checkout.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { errorOf, payApi, send } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  addConsoleUser,
  type ConsoleParties,
  createConsoleParties,
  dataOf,
  merchantConsole,
} from "./console-client.js";

const { sandbox, server, api, merchantId } = await createTestApi();
const { pool } = sandbox.database;
let parties: ConsoleParties;
beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
});

const flush = () => writeRequests(pool, server.context.memory.requestLog);
const list = async (query: Record<string, string> = {}) => {
  await flush();
  return dataOf(
    consoleRequestListResponseSchema,
    await merchantConsole(server, parties).get("/requests", query),
  );
};

it("the request log contains a merchant's API requests, with masked bodies and the request ID of the response", async () => {
  const order = await createOrder(api, { metadata: { phone: "+33612345678", note: "a@example.com" } });
  await api.get(`/orders/${order.order_id}`);
  const rejected = await api.post("/orders", { amount: -1, currency: "EUR" });
  const { items } = await list();
  expect(
    items.slice(0, 3).map(({ method, path, status, error_code }) => [method, path, status, error_code]),
  ).toEqual([
    ["POST", "/pay/sandbox/api/v1/orders", 400, "invalid_fields"],
    ["GET", `/pay/sandbox/api/v1/orders/${order.order_id}`, 200, null],
    ["POST", "/pay/sandbox/api/v1/orders", 200, null],
  ]);
  expect(items[0]).toMatchObject({
    request_id: rejected.headers.get("x-request-id"),
    client_id: sandbox.access.merchant.client_id,
    client_address: "127.0.0.1",
    dropped: 0,
  });
  const read = async (at: number) =>
    dataOf(
      consoleRequestResponseSchema,
      await merchantConsole(server, parties).get(`/requests/${items[at]?.entry_id}`),
    );
  const created = await read(2);
  expect(created.about).toBe(order.order_id);
  expect(created.request_body).toContain('"currency":"EUR"');
  expect(created.answer_body).toContain(order.order_id);
  for (const stored of [created.request_body, created.answer_body])
    for (const never of ["+33612345678", "a@example.com", order.payment_url])
      expect(stored).not.toContain(never);
  expect(await read(1)).toMatchObject({ about: order.order_id, request_body: null, answer_body: null });
});

it("the request log omits shoppers' actions on the payment page", async () => {
  const order = await createOrder(api);
  const [shopper] = sandbox.access.shoppers;
  if (shopper === undefined) throw new Error("the sandbox has no shopper");
  const page = openPage(server, paymentTokenOf(order));
  await page.signIn(shopper.email, shopper.pin);
  expect((await page.pay()).status).toBe(200);
  await flush();
  const { rows } = await pool.query("SELECT * FROM api_requests WHERE path NOT LIKE '/pay/%'");
  expect(rows).toEqual([]);
  const stored = JSON.stringify((await pool.query("SELECT row_to_json(r)::text FROM api_requests r")).rows);
  for (const never of [paymentTokenOf(order), page.session, page.device, shopper.email, page.visitor])
    expect(stored).not.toContain(never);
});

it("the request log can be filtered by status, method, path, credential and request ID, and read page by page", async () => {
  await list();
  await pool.query("DELETE FROM api_requests");
  for (const amount of [1, -1, 2, -1]) await api.post("/orders", { amount, currency: "EUR" });
  await api.get("/orders");
  const found = async (query: Record<string, string>) => (await list(query)).items.length;
  expect(await found({})).toBe(5);
  expect(await found({ status: "4xx" })).toBe(2);
  expect(await found({ status: "2xx", method: "POST" })).toBe(2);
  expect(await found({ path: "ORDERS" })).toBe(5);
  expect(await found({ path: "/refunds" })).toBe(0);
  const [newest] = (await list()).items;
  expect(await found({ credential: newest?.credential_id ?? "" })).toBe(5);
  expect(await found({ credential: merchantId })).toBe(0);
  expect(await found({ about: "none" })).toBe(0);
  expect(await found({ request_id: newest?.request_id ?? "" })).toBe(1);
  const first = await list({ per_page: "3" });
  const second = await list({ per_page: "3", before: first.next ?? "" });
  expect([first.items.length, second.items.length, second.next]).toEqual([3, 2, null]);
  expect(new Set([...first.items, ...second.items].map(({ entry_id }) => entry_id)).size).toBe(5);
  for (const query of [
    { status: "2" },
    { method: "PUT" },
    { credential: "x" },
    { before: "x" },
    { before: "9".repeat(19) },
  ])
    expect((await merchantConsole(server, parties).get("/requests", query)).status).toBe(400);
});

it("the request log is private to its merchant, and hidden from finance members", async () => {
  await list();
  await pool.query("DELETE FROM api_requests");
  await createOrder(payApi(server, sandbox.access.other_merchant));
  expect((await list()).items).toEqual([]);
  const { rows } = await pool.query<{ id: string }>("SELECT id::text FROM api_requests");
  expect(rows).toHaveLength(1);
  for (const id of [rows[0]?.id, "0", "x", "9".repeat(19), "9".repeat(30)])
    expect(errorOf(await merchantConsole(server, parties).get(`/requests/${id}`))).toEqual({
      status: 404,
      texts: ["Request not found"],
    });
  const finance = await addConsoleUser(sandbox, "requests.finance@example.com", merchantId, "finance");
  const { status } = await merchantConsole(server, { user: finance, merchantId }).get("/requests");
  expect(status).toBe(403);
});

it("the request log counts dropped requests, and retries failed writes", async () => {
  await list();
  await pool.query("DELETE FROM api_requests");
  const log = createRequestLog(1);
  const at = new Date();
  const call = { credentialId: merchantId, requestId: "r", at, method: "GET", path: "/x", status: 200 };
  for (let calls = 0; calls < 4; calls += 1)
    log.add(
      {
        ...call,
        merchantId,
        mode: "sandbox",
        durationMs: 1.6,
        clientAddress: "192.0.2.1",
        requestBody: null,
        responseBody: null,
      },
      0,
    );
  await expect(writeRequests(sandbox.database.pool.constructor.prototype, log)).rejects.toThrow();
  await writeRequests(pool, log);
  const { items } = await list();
  expect(items.map(({ dropped }) => dropped)).toEqual([3, 0]);
  expect(items[1]).toMatchObject({ duration_ms: 2, client_id: null });
});

it("the request log omits unauthenticated requests, and a credential shows the address it was last used from", async () => {
  await list();
  await pool.query("DELETE FROM api_requests");
  const { client_id } = sandbox.access.merchant;
  const wrong = `Basic ${Buffer.from(`${client_id}:wrong`).toString("base64")}`;
  await send(`${server.url}/pay/sandbox/api/v1/orders`, { headers: { authorization: wrong } });
  expect((await list()).items).toEqual([]);
  await api.get("/orders");
  await flushLastUsed(server.context);
  const { credentials } = dataOf(
    consoleCredentialListResponseSchema,
    await merchantConsole(server, parties).get("/credentials"),
  );
  expect(credentials.find((item) => item.client_id === client_id)?.last_used_address).toBe("127.0.0.1");
});

it("a credential lists the sites that receive its orders' callbacks", async () => {
  const sites = async () => {
    const { credentials } = dataOf(
      consoleCredentialListResponseSchema,
      await merchantConsole(server, parties).get("/credentials"),
    );
    return credentials.find((item) => item.client_id === sandbox.access.merchant.client_id)?.sites;
  };
  const order = (callback_url?: string) =>
    api.post("/orders", { amount: "5.00", currency: "EUR", callback_url });
  await order();
  const before = (await sites()) ?? [];
  for (const path of ["shop.example/a", "shop.example/b?c=d", "staging.shop.example:8443/a"])
    await order(`https://${path}`);
  expect((await sites())?.filter((site) => !before.includes(site))).toEqual([
    "shop.example",
    "staging.shop.example:8443",
  ]);
});

it("a credential lists the sites named in Tillgate-Site headers, and distinguishes two sites at the same address by their IDs", async () => {
  const created = await createCredential(server.context, { merchantId, mode: "sandbox", kind: "client" });
  const client = Buffer.from(`${created.clientId}:${created.secret}`).toString("base64");
  const call = (site: string) =>
    fetch(`${server.url}/pay/sandbox/api/v1/account`, {
      headers: { authorization: `Basic ${client}`, "tillgate-site": site },
    });
  for (const site of [
    "shop.example/fr; id=0f0e0d0c0b0a09080706050403020100",
    "shop.example/fr; id=1f0e0d0c0b0a09080706050403020100",
    "staging.example",
    "not a site; <script>",
    "__proto__",
    "__proto__; id=0f",
    "x".repeat(500),
  ])
    expect((await call(site)).status).toBe(200);
  await flushLastUsed(server.context);
  const sites = async () => {
    const { credentials } = dataOf(
      consoleCredentialListResponseSchema,
      await merchantConsole(server, parties).get("/credentials"),
    );
    return credentials.find((item) => item.client_id === created.clientId)?.sites;
  };
  const named = ["shop.example/fr (0f0e0d0c)", "shop.example/fr (1f0e0d0c)", "staging.example"];
  expect(await sites()).toEqual(named);

  const own = payApi(server, { client_id: created.clientId ?? "", client_secret: created.secret });
  const report = (callback_url: string) =>
    own.post("/orders", { amount: "5.00", currency: "EUR", callback_url });
  // A single callback host may be the connector's, so it is not listed. Two or more are listed, because one of
  // them may belong to a client that does not report its site.
  await report("https://connector.example/webhook");
  expect(await sites()).toEqual(named);
  for (const host of ["staging.example", "unnamed.example"]) await report(`https://${host}/webhook`);
  expect(await sites()).toEqual([...named, "connector.example", "unnamed.example"]);
});
