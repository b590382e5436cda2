import { once } from "node:events";
import { openSync } from "node:fs";
import { Agent, request } from "node:http";
import { describe, expect, it } from "vitest";
import { freePort } from "../../../../scripts/testing/free-port.js";
import { INTERNAL_KEY } from "../support/api-process.js";
import { createOrder } from "../support/orders.js";
import { basic, errorOf, payApi, send } from "../support/requests.js";
import { spawnApi } from "../support/spawned-api.js";
import { createTestSandbox } from "../support/test-api.js";
import { waitUntil } from "../support/wait-until.js";

const DRAIN_MS = 1_500;

const sandbox = await createTestSandbox();

/** Starts the built API, and waits until it is ready. @param output file descriptor for its log. */
async function startProcess(environment: Record<string, string> = {}, output?: number) {
  const { child, port, url } = await spawnApi(sandbox, { TILLGATE_ROLE: "http", ...environment }, output);
  await waitUntil(
    "the API is ready",
    () =>
      send(`${url}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    20_000,
  );
  return { child, port, url };
}

describe("logging", () => {
  it("does not stop the API when the disk is full", async () => {
    const { child, url } = await startProcess({ LOG_LEVEL: "trace" }, openSync("/dev/full", "w"));
    const api = payApi({ url }, sandbox.access.merchant);
    for (let round = 0; round < 100; round += 1) await api.get("/orders");
    expect((await createOrder(api)).status).toBe("PENDING");
    expect(child.exitCode).toBeNull();
  });
});

describe("an API process without workers", () => {
  it("rolls up counters, and announces a keep-alive timeout of 65 s, longer than that of load balancers", async () => {
    const { url } = await startProcess();
    expect((await send(`${url}/healthz`)).headers.get("keep-alive")).toBe("timeout=65");
    await createOrder(payApi({ url }, sandbox.access.merchant));
    const { pool } = sandbox.database;
    await waitUntil(
      "all counters are rolled up",
      async () => (await pool.query("SELECT FROM count_deltas")).rowCount === 0,
    );
    expect((await pool.query("SELECT FROM day_counts WHERE count > 0")).rowCount).toBeGreaterThan(0);
  });
});

describe("SIGTERM", () => {
  it("makes readiness fail first; the API then serves open connections, finishes accepted requests, and exits with status 0", async () => {
    const { child, port, url } = await startProcess({ TILLGATE_DRAIN_MS: String(DRAIN_MS) });
    const api = payApi({ url }, sandbox.access.merchant);
    const order = await createOrder(api);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (method: string, address: string) =>
      new Promise<{ status: number | undefined; connection: string | undefined; reused: boolean }>(
        (resolve, reject) => {
          const sent = request(
            {
              agent,
              port,
              host: "127.0.0.1",
              method,
              path: address,
              headers: { authorization: basic(sandbox.access.merchant) },
            },
            (response) => {
              response.resume();
              response.on("end", () =>
                resolve({
                  status: response.statusCode,
                  connection: response.headers.connection,
                  reused: sent.reusedSocket,
                }),
              );
            },
          );
          sent.on("error", reject);
          sent.end();
        },
      );
    const base = `/pay/sandbox/api/v1/orders/${order.order_id}`;
    expect((await ask("GET", base)).connection).toBe("keep-alive");

    // The cancellation is blocked by a lock for longer than the drain time.
    const { pool } = sandbox.database;
    const holder = await pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM orders WHERE id = $1 FOR UPDATE", [order.order_id]);
    const cancelling = api.post(`/orders/${order.order_id}/cancel`);
    await waitUntil("the cancellation waits for the lock", async () => {
      const { rows } = await pool.query("SELECT 1 FROM pg_locks WHERE NOT granted");
      return rows.length > 0;
    });

    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await waitUntil("readiness fails", async () => (await send(`${url}/readyz`)).status === 503);
    expect(await ask("GET", base)).toEqual({ status: 200, connection: "close", reused: true });
    await waitUntil("the API accepts no more connections", () =>
      send(`${url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    expect(child.exitCode).toBeNull();
    await holder.query("COMMIT");
    holder.release();
    expect((await cancelling).status).toBe(200);
    expect((await ended)[0]).toBe(0);
    agent.destroy();
  });
});

describe("internal APIs of the API process", () => {
  it("are served on the configured address only", async () => {
    const internal = await freePort();
    const { url } = await startProcess({ TILLGATE_INTERNAL_PORT: String(internal) });
    const own = `http://127.0.0.1:${internal}`;
    const init = { headers: { "x-tillgate-internal-key": INTERNAL_KEY } };
    const texts = async (address: string) => errorOf(await send(address, init)).texts;
    expect(await texts(`${own}/checkout/v1/orders/none`)).not.toEqual(["Unknown route"]);
    expect(await texts(`${url}/checkout/v1/orders/none`)).toEqual(["Unknown route"]);
    expect(await texts(`${own}/pay/sandbox/api/v1/orders`)).toEqual(["Unknown route"]);
    expect((await send(`${url}/pay/sandbox/api/v1/orders`)).status).toBe(401);
  });
});
