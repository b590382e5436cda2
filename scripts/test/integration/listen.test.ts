import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { rawKey, verifyWebhook } from "@tillgate/webhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createOrder } from "../../../apps/api/test/support/orders.js";
import { type PayApi, payApi } from "../../../apps/api/test/support/requests.js";
import { waitUntil } from "../../../apps/api/test/support/wait-until.js";
import { freePort } from "../../testing/free-port.js";
import { type LocalSandbox, openLocalSandbox } from "./local-sandbox.js";

type ReceivedRequest = { headers: IncomingHttpHeaders; body: Buffer };

let local: LocalSandbox;
let shop: PayApi;
let hook: Server;
let hookAddress: string;
let status = 204;
let received: ReceivedRequest[] = [];

beforeAll(async () => {
  local = await openLocalSandbox();
  shop = payApi(local.api, local.sandbox.access.merchant);
  hook = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  const bound = hook.address();
  if (bound === null || typeof bound === "string") throw new Error("The hook has no port.");
  hookAddress = `http://127.0.0.1:${bound.port}/hook`;
});
afterAll(async () => {
  hook.closeAllConnections();
  hook.close();
  await local.close();
});
afterEach(() => {
  received = [];
  status = 204;
});

async function cancelOrder(by = shop): Promise<string> {
  const { order_id } = await createOrder(by);
  await by.post(`/orders/${order_id}/cancel`);
  return order_id;
}

/** Returns the IDs of the orders whose events a script has printed, in order. */
const printedOrders = (out: string): string[] =>
  [...out.matchAll(/POS-\d{8}-[0-9A-Z]{6}/g)].map(([id]) => id);

describe("npm run listen", () => {
  it("prints each event with time, name, ID and order, forwards it signed, and prints the outcome", async () => {
    const script = local.start("listen.mjs", [hookAddress]);
    await script.waitForOutput("Listening for sandbox events");
    const order = await cancelOrder();
    await script.waitForOutput(/-> 204 in \d+ ms\n/);
    expect(script.out()).toMatch(
      new RegExp(`\\d\\d:\\d\\d:\\d\\d {2}pos\\.order\\.cancelled {2}evt_[0-9a-f]{32} {2}${order}\n`),
    );
    const [one] = received;
    if (!one) throw new Error("No event was forwarded.");
    const { client_secret: secret } = local.sandbox.access.merchant;
    const nowSeconds = Math.floor(Date.now() / 1_000);
    expect(
      verifyWebhook({ headers: one.headers, body: one.body, keys: [rawKey(secret)], nowSeconds }).status,
    ).toBe("ok");
    const stored = await local.sandbox.database.prisma.event.findFirstOrThrow({ where: { orderId: order } });
    expect(String(one.body)).toBe(stored.body);
    expect(one.headers["webhook-id"]).toBe(stored.id);
    expect(await script.interrupt()).toBe(0);
    expect(script.out().endsWith("Stopped.\n")).toBe(true);
    expect(script.error()).toBe("");
  });

  it("resumes after a lost connection without losing or repeating an event", async () => {
    const script = local.start("listen.mjs", [hookAddress]);
    await script.waitForOutput("Listening");
    const before = await cancelOrder();
    await script.waitForOutput(before);
    await local.disconnect();
    await script.waitForOutput("Connection lost");
    const meanwhile = [await cancelOrder(), await cancelOrder()];
    await local.reconnect();
    await script.waitForOutput("Reconnected");
    const after = await cancelOrder();
    await script.waitForOutput(after);
    await waitUntil("all are forwarded", () => received.length >= 4);
    expect(printedOrders(script.out())).toEqual([before, ...meanwhile, after]);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(4);
    expect(await script.interrupt()).toBe(0);
  });

  it("does not print that no events were missed if its first request failed", async () => {
    let requests = 0;
    const unavailable = {
      message: { code: 503, error: ["Service unavailable"] },
      data: [],
      type: "error",
      error_code: "unavailable",
    };
    const noEvents = { message: { success: ["ok"] }, data: { events: [], next: "1", has_more: false } };
    const api = createServer((_request, response) => {
      requests += 1;
      const [code, body] = requests === 1 ? ([503, unavailable] as const) : ([200, noEvents] as const);
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
    }).listen(0, "127.0.0.1");
    await once(api, "listening");
    const bound = api.address();
    if (bound === null || typeof bound === "string") throw new Error("The API has no port.");
    const credentials = ["--client-id", "tg_test_1", "--client-secret", "secret"];
    const script = local.start("listen.mjs", ["--api", `http://127.0.0.1:${bound.port}`, ...credentials]);
    try {
      await script.waitForOutput("Listening");
      await waitUntil("the next request", () => requests >= 3);
      expect(script.error()).toMatch(/^Connection lost \(.*\)\. Reconnecting…\n$/);
      expect(await script.interrupt()).toBe(0);
    } finally {
      api.closeAllConnections();
      api.close();
    }
  });

  it("prints only the selected events of the selected merchant", async () => {
    const other = payApi(local.api, local.sandbox.access.other_merchant);
    const script = local.start("listen.mjs", [
      "--merchant",
      local.sandbox.access.other_merchant.name,
      "--events",
      "pos.order.cancelled",
    ]);
    const silent = local.start("listen.mjs", ["--events", "pos.order.paid, refund.failed"]);
    await script.waitForOutput("Listening");
    await silent.waitForOutput("Listening");
    await cancelOrder();
    const order = await cancelOrder(other);
    await script.waitForOutput(order);
    expect(printedOrders(script.out())).toEqual([order]);
    expect(printedOrders(silent.out())).toEqual([]);
    expect(received).toEqual([]);
    expect(await Promise.all([script.interrupt(), silent.interrupt()])).toEqual([0, 0]);
  });

  it("reports a local server that rejects an event or refuses the connection, and continues", async () => {
    status = 500;
    const script = local.start("listen.mjs", ["--forward", hookAddress]);
    await script.waitForOutput("Listening");
    await cancelOrder();
    await script.waitForOutput(/-> 500 in \d+ ms, failed/);
    const address = `http://127.0.0.1:${await freePort()}/hook`;
    const nowhere = local.start("listen.mjs", [address]);
    await nowhere.waitForOutput("Listening");
    await cancelOrder();
    await nowhere.waitForOutput(`connection refused by ${address}. Is your server running?`);
    expect(await Promise.all([script.interrupt(), nowhere.interrupt()])).toEqual([0, 0]);
  });

  it.each([
    [
      ["--client-id", "tg_test_none", "--client-secret", "wrong"],
      "The API rejected the request (401): Invalid API credentials.",
    ],
    [["--client-id", "tg_test_none"], "Specify both --client-id and --client-secret."],
    [["--api", "http://127.0.0.1:1"], "The API at http://127.0.0.1:1 is not reachable"],
    [["--merchant", "Nobody"], "Unknown merchant: Nobody"],
    [["--events", "pos.order.made"], "Unknown event pos.order.made."],
    [["localhost:3000"], "is not an http or https URL"],
    [["http://localhost:1/", "http://localhost:2/"], "Specify only one URL"],
    [["--mode", "test"], "--mode must be sandbox or live."],
    [["--wrong"], "see --help for usage"],
  ])("prints a one-line error and exits with status 1 for %j", async (args, message) => {
    const script = local.start("listen.mjs", args);
    expect(await script.exited()).toBe(1);
    expect(script.error()).toContain(message);
    expect(script.error().trim().split("\n")).toHaveLength(1);
    expect(script.out()).toBe("");
  });

  it("reads credentials from the environment, and prints how to set them if there is no sandbox", async () => {
    const { client_id, client_secret } = local.sandbox.access.merchant;
    const script = local.start("listen.mjs", [], {
      TILLGATE_DATA_DIR: "/nonexistent",
      TILLGATE_API_URL: local.address,
      TILLGATE_CLIENT_ID: client_id,
      TILLGATE_CLIENT_SECRET: client_secret,
    });
    await script.waitForOutput(`Listening for sandbox events of ${client_id}`);
    expect(script.out()).not.toContain(client_secret);
    expect(await script.interrupt()).toBe(0);
    const lost = local.start("listen.mjs", [], { TILLGATE_DATA_DIR: "/nonexistent" });
    expect(await lost.exited()).toBe(1);
    expect(lost.error()).toContain("No sandbox found. Run npm start");
    const help = local.start("listen.mjs", ["--help"], { TILLGATE_DATA_DIR: "/nonexistent" });
    expect(await help.exited()).toBe(0);
    expect(help.out()).toContain("npm run listen -- http://localhost:3000/hook");
  });
});
