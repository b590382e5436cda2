import { once } from "node:events";
import { connect } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import { openPage } from "../../support/checkout.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { payApi, send } from "../../support/requests.js";
import { createTestSandbox } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

let api: ApiProcess;
const sandbox = await createTestSandbox();
beforeEach(async () => {
  api = await sandbox.startApi();
});

type Line = Record<string, unknown> & { event?: string; msg?: string };

const lines = (): Line[] =>
  api
    .logs()
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text));

const eventOf = (name: string): Line | undefined => lines().find(({ event }) => event === name);

async function countOf(event: string, of: string): Promise<number> {
  const text = await api.metrics();
  const found = new RegExp(`tillgate_security_events_total\\{event="${event}",api="${of}"\\} (\\d+)`).exec(
    text,
  );
  return Number(found?.[1] ?? 0);
}

describe("security log and metrics", () => {
  it("record that a secret was rejected, with the request's route and client network", async () => {
    const thief = payApi(api, { ...sandbox.access.merchant, client_secret: "tgs_wrong" });
    for (let guess = 0; guess < 3; guess += 1) expect((await thief.get("/orders")).status).toBe(401);
    expect(eventOf("wrong_secret")).toMatchObject({
      route: "/pay/sandbox/api/v1/orders",
      network: "127.0.0.1",
      requestId: expect.stringMatching(/^req_/),
    });
    expect(await countOf("wrong_secret", "pay")).toBe(3);
  });

  it("record a wrong Partner API token and a wrong payment access token", async () => {
    await send(`${api.url}/api/partner/sandbox/v1/balance`, {
      headers: { authorization: "Bearer tgt_wrong" },
    });
    await send(`${api.url}/pay/sandbox/api/v1/payment/create`, {
      method: "POST",
      headers: { authorization: "Bearer wrong" },
    });
    expect(await countOf("wrong_secret", "partner")).toBe(1);
    expect(await countOf("refused_token", "pay")).toBe(1);
  });

  it("record a wrong PIN and a forged form with the shopper's network, not the payment page server's", async () => {
    const order = await createOrder(payApi(api, sandbox.access.merchant));
    const page = openPage(api, paymentTokenOf(order), { clientAddress: "198.51.100.7" });
    const shopper = sandbox.access.shoppers[0];
    if (!shopper) throw new Error("the sandbox has no shopper");
    await page.signInResponse(shopper.email, "918273");
    expect(eventOf("wrong_pin")).toMatchObject({
      route: "/checkout/v1/orders/:token/sign-in",
      network: "198.51.100.7",
    });
    await page.act("cancel", "forged");
    expect(eventOf("refused_form")).toMatchObject({ network: "198.51.100.7" });
    expect(await countOf("wrong_pin", "checkout")).toBe(1);
    expect(await countOf("refused_form", "checkout")).toBe(1);
  });

  it("record a wrong internal key, while the route stays hidden", async () => {
    const address = `${api.url}/checkout/v1/orders/none`;
    const response = await send(address, { headers: { "x-tillgate-internal-key": "guess" } });
    expect(response.status).toBe(404);
    expect(await countOf("refused_key", "checkout")).toBe(1);
    expect(eventOf("refused_key")).toBeDefined();
  });

  it("record rate-limited requests", async () => {
    const limited = await sandbox.startApi({
      environment: { TILLGATE_PAY_REQUESTS_PER_MINUTE: "1" },
    });
    const caller = payApi(limited, sandbox.access.other_merchant);
    await caller.get("/orders");
    expect((await caller.get("/orders")).status).toBe(429);
    expect(limited.logs()).toContain('"event":"rate_limited"');
    expect(await limited.metrics()).toContain('event="rate_limited",api="pay"} 1');
  });
});

it.each(["/checkout/v1/orders/none/pay", "/console/v1/merchants/none/sandbox/payouts/batches"])(
  "a request to %s with a wrong internal key is rejected before its body is read",
  async (path) => {
    const { port } = new URL(api.url);
    const head = [
      `POST ${path} HTTP/1.1`,
      "Host: 127.0.0.1",
      "Content-Type: application/json",
      "Content-Length: 60000",
      "X-Tillgate-Internal-Key: guess",
    ];
    const socket = connect(Number(port), "127.0.0.1");
    // The rest of the body is never sent, so a handler that reads it would hang.
    socket.write(`${head.join("\r\n")}\r\n\r\n{`);
    const [reply] = await once(socket, "data");
    socket.destroy();
    expect(String(reply)).toMatch(/^HTTP\/1\.1 404 /);
  },
);

it("the access log contains the route, merchant, credential and client network of a request", async () => {
  await payApi(api, sandbox.access.merchant).get("/orders");
  const line = await waitUntil("the request is logged", () =>
    lines().find(({ msg }) => msg === "request completed"),
  );
  expect(line).toMatchObject({
    route: "/pay/sandbox/api/v1/orders",
    merchant: expect.stringMatching(/^[0-9a-f-]{36}$/),
    credential: expect.stringMatching(/^[0-9a-f-]{36}$/),
    network: "127.0.0.1",
  });
});
