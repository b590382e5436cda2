import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CHANGES_CHANNEL } from "../../../src/platform/change-notifier.js";
import { type FaultServer, type ReceivedWebhook, startFaultServer } from "../../support/fault-server.js";
import { addCredential, merchantIdOf } from "../../support/parties.js";
import { waitUntil } from "../../support/wait-until.js";
import { openSandbox, type Sandbox } from "./support/sandbox.js";
import { readDelivery, startWorkerProcess } from "./support/worker-process.js";

let sandbox: Sandbox;
let receiver: FaultServer;
let running: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  sandbox = await openSandbox();
  receiver = await startFaultServer();
});
afterEach(async () => {
  await Promise.all(running.map((item) => item.close()));
  running = [];
});
afterAll(async () => {
  await receiver.close();
  await sandbox.drop();
});

async function startProcess(environment?: Record<string, string>) {
  const process = await startWorkerProcess(sandbox, environment);
  running.push(process);
  return process.context;
}

const deliveryOf = (orderId: string) => readDelivery(sandbox, orderId);

type AttemptRow = {
  number: number;
  http_status: number | null;
  error_kind: string | null;
  answer_start: string | null;
  latency_ms: number;
  request_headers: Record<string, string>;
};

const attemptsOf = async (deliveryId: string): Promise<AttemptRow[]> =>
  (
    await sandbox.database.pool.query<AttemptRow>(
      "SELECT * FROM attempts WHERE delivery_id = $1 ORDER BY number",
      [deliveryId],
    )
  ).rows;

const signedHeaders = (received: ReceivedWebhook | undefined): Record<string, string> =>
  Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [
      name,
      String(received?.headers[name]),
    ]),
  );

async function createPaidOrder(path: string): Promise<string> {
  const id = await sandbox.createOrder({ callbackUrl: receiver.urlOf(path) });
  await sandbox.payOrder(id);
  return id;
}

/** Makes a scheduled retry due now, and wakes the workers. */
async function makeDue(deliveryId: string): Promise<void> {
  const { pool } = sandbox.database;
  await pool.query(
    "UPDATE deliveries SET next_attempt_at = clock_timestamp() WHERE id = $1 AND status = 'pending'",
    [deliveryId],
  );
  await pool.query("SELECT pg_notify($1, '[]')", [CHANGES_CHANNEL]);
}

const waitForAttempt = (orderId: string, attempts: number) =>
  waitUntil(`attempt ${attempts} is recorded`, async () => {
    const delivery = await deliveryOf(orderId);
    return delivery.attempt_count >= attempts && delivery;
  });

describe("a delivery", () => {
  it("arrives after the commit, can be verified with the public library, and is recorded without signatures", async () => {
    const context = await startProcess();
    const orderId = await sandbox.createOrder({ callbackUrl: receiver.urlOf("/ok") });
    await sandbox.payOrder(orderId);
    context.changes.notify(orderId);

    const received = await waitUntil("the event is received", () => receiver.requestsTo("/ok")[0]);
    const webhook = new Webhook(sandbox.access.merchant.client_secret, { format: "raw" });
    const event = webhook.verify(String(received.body), signedHeaders(received));
    expect(event).toMatchObject({ event: "pos.order.paid", data: { order_id: orderId, status: "PAID" } });
    expect(received.headers["content-type"]).toBe("application/json");

    const delivery = await waitForAttempt(orderId, 1);
    expect(delivery.status).toBe("delivered");
    const [attempt] = await attemptsOf(delivery.id);
    expect(attempt).toMatchObject({
      number: 1,
      http_status: 200,
      error_kind: null,
      answer_start: "thank you",
    });
    expect(attempt?.request_headers).toMatchObject({
      "webhook-id": delivery.event_id,
      "X-Tillgate-Event": "pos.order.paid",
    });
    expect(JSON.stringify(attempt?.request_headers)).not.toMatch(/signature/i);
  });

  it("starts on a change notification, without waiting for the next poll", async () => {
    const context = await startProcess();
    const latencies: number[] = [];
    for (let createdCount = 0; createdCount < 5; createdCount += 1) {
      // Each event follows an arrival, so with polling alone it would take most of a second.
      const id = await sandbox.createOrder({ callbackUrl: receiver.urlOf(`/ok?prompt-${createdCount}`) });
      await sandbox.payOrder(id);
      const committed = performance.now();
      context.changes.notify(id);
      await waitUntil("the event is received", () => receiver.requestsTo(`/ok?prompt-${createdCount}`)[0]);
      latencies.push(performance.now() - committed);
    }
    expect(Math.min(...latencies)).toBeLessThan(500);
  });

  it("is retried with the same ID and body but a new timestamp and signature until it succeeds", async () => {
    await startProcess();
    const orderId = await createPaidOrder("/fails-twice");
    for (const attempt of [1, 2]) {
      const failed = await waitForAttempt(orderId, attempt);
      expect(failed.status).toBe("pending");
      // The next attempt is in another second, so that its signature must differ.
      const sentAt = Number(receiver.requestsTo("/fails-twice").at(-1)?.headers["webhook-timestamp"]);
      await waitUntil("the next second begins", () => Math.floor(Date.now() / 1_000) > sentAt);
      await makeDue(failed.id);
    }
    expect((await waitForAttempt(orderId, 3)).status).toBe("delivered");
    const sent = receiver.requestsTo("/fails-twice");
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(sent.map(({ body }) => body.toString("hex"))).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers["webhook-signature"])).size).toBe(3);
  });

  it.each([
    { path: "/500", kind: "status", status: 500, least: 8_000 },
    { path: "/redirect", kind: "redirect", status: 307, least: 8_000 },
    { path: "/html", kind: "status", status: 404, least: 8_000 },
    { path: "/html-200", kind: "html_response", status: 200, least: 8_000 },
    { path: "/html-untyped", kind: "html_response", status: 200, least: 8_000 },
    { path: "/hang", kind: "timeout", status: null, least: 8_000 },
    { path: "/drip-head", kind: "timeout", status: null, least: 8_000 },
    { path: "/reset", kind: "connection", status: null, least: 8_000 },
    { path: "/retry-after", kind: "status", status: 503, least: 15_000 },
    { path: "/retry-after-huge", kind: "status", status: 503, least: 20_000 },
    { path: "/retry-after-small", kind: "status", status: 429, least: 8_000 },
    { path: "/retry-after-negative", kind: "status", status: 503, least: 8_000 },
  ])("fails with the error $kind at $path, and is retried on schedule", async (expected) => {
    // On a busy machine, a receiver that responds may take longer than a short timeout.
    await startProcess(expected.kind === "timeout" ? { TILLGATE_DELIVERY_TIMEOUT_MS: "600" } : {});
    const orderId = await createPaidOrder(expected.path);
    const delivery = await waitForAttempt(orderId, 1);
    const [attempt] = await attemptsOf(delivery.id);
    expect(attempt).toMatchObject({ error_kind: expected.kind, http_status: expected.status });
    expect(Buffer.byteLength(attempt?.answer_start ?? "")).toBeLessThanOrEqual(1_024);
    expect(attempt?.latency_ms).toBeLessThan(2_000);
    expect(delivery.status).toBe("pending");
    expect(delivery.wait_ms).toBeGreaterThan(expected.least - 1_000);
    expect(delivery.wait_ms).toBeLessThanOrEqual(Math.max(12_000, expected.least));
  });

  it("records different errors for a refused connection, an unresolvable host and a TLS failure", async () => {
    await startProcess();
    const closed = await startFaultServer();
    const nowhere = closed.urlOf("/ok");
    await closed.close();
    for (const [address, kind] of [
      [nowhere, "connection"],
      ["http://receiver.invalid/ok", "dns"],
      [receiver.urlOf("/ok").replace("http:", "https:"), "tls"],
    ] as const) {
      const orderId = await sandbox.createOrder({ callbackUrl: address });
      await sandbox.payOrder(orderId);
      const delivery = await waitForAttempt(orderId, 1);
      expect((await attemptsOf(delivery.id))[0]?.error_kind).toBe(kind);
    }
  });

  it.each(["/drip-body", "/endless-body"])(
    "succeeds with a 200 response even if its body never ends: %s",
    async (path) => {
      await startProcess();
      const orderId = await createPaidOrder(path);
      const delivery = await waitForAttempt(orderId, 1);
      expect(delivery.status).toBe("delivered");
      const [attempt] = await attemptsOf(delivery.id);
      expect(Buffer.byteLength(attempt?.answer_start ?? "")).toBeLessThanOrEqual(1_024);
    },
  );

  it("is abandoned immediately when the receiver returns 410", async () => {
    await startProcess();
    const orderId = await createPaidOrder("/410");
    expect((await waitForAttempt(orderId, 1)).status).toBe("failed");
    expect(receiver.requestsTo("/410")).toHaveLength(1);
  });

  it("is abandoned after the last scheduled retry, and keeps every attempt", async () => {
    await startProcess();
    const orderId = await createPaidOrder("/500?last");
    for (let attempt = 1; attempt <= 10; attempt += 1)
      await makeDue((await waitForAttempt(orderId, attempt)).id);
    const delivery = await waitForAttempt(orderId, 11);
    expect(delivery.status).toBe("failed");
    expect((await attemptsOf(delivery.id)).map(({ number }) => number)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
  });

  it("does not connect to a private address unless that is allowed, and records the attempt as refused_address", async () => {
    await startProcess({ TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "refuse" });
    const orderId = await createPaidOrder("/ok?refused");
    const delivery = await waitForAttempt(orderId, 1);
    expect((await attemptsOf(delivery.id))[0]).toMatchObject({
      error_kind: "refused_address",
      http_status: null,
    });
    expect(receiver.requestsTo("/ok?refused")).toHaveLength(0);
  });

  it("is signed with its endpoint's secret, and a 410 disables the endpoint", async () => {
    await startProcess();
    const endpoint = await sandbox.addReceiver(receiver.urlOf("/410?endpoint"), ["pos.order.paid"]);
    const first = await sandbox.createOrder();
    const second = await sandbox.createOrder();
    await sandbox.payOrder(first);
    await sandbox.payOrder(second);
    expect((await waitForAttempt(first, 1)).status).toBe("failed");
    const [got] = receiver.requestsTo("/410?endpoint");
    expect(() => new Webhook(endpoint.secret).verify(String(got?.body), signedHeaders(got))).not.toThrow();
    await waitUntil(
      "the second delivery is over",
      async () => (await deliveryOf(second)).status === "failed",
    );
    const { rows } = await sandbox.database.pool.query(
      "SELECT FROM receivers WHERE id = $1 AND disabled_at IS NOT NULL",
      [endpoint.id],
    );
    expect(rows).toHaveLength(1);
    const third = await sandbox.createOrder();
    await sandbox.payOrder(third);
    await expect(deliveryOf(third)).rejects.toThrow("no delivery");
  });

  it("is signed with the merchant's newest active client secret in the same mode if the order's client is revoked, and is not sent without a secret", async () => {
    await startProcess();
    const { pool } = sandbox.database;
    const { client_id: clientId } = sandbox.access.other_merchant;
    const orderId = await sandbox.createOrder({ callbackUrl: receiver.urlOf("/ok?revoked"), clientId });
    await pool.query("UPDATE credentials SET revoked_at = clock_timestamp() WHERE client_id = $1", [
      clientId,
    ]);
    await sandbox.payOrder(orderId);
    const unsigned = await waitForAttempt(orderId, 1);
    expect((await attemptsOf(unsigned.id))[0]?.error_kind).toBe("no_key");
    expect(receiver.requestsTo("/ok?revoked")).toHaveLength(0);

    const merchantId = await merchantIdOf(sandbox, clientId);
    await addCredential(sandbox, merchantId, "sandbox");
    const newest = await addCredential(sandbox, merchantId, "sandbox");
    await addCredential(sandbox, merchantId, "live");
    await makeDue(unsigned.id);
    expect((await waitForAttempt(orderId, 2)).status).toBe("delivered");
    const [got] = receiver.requestsTo("/ok?revoked");
    const webhook = new Webhook(newest.client_secret, { format: "raw" });
    expect(() => webhook.verify(String(got?.body), signedHeaders(got))).not.toThrow();
  });
});
