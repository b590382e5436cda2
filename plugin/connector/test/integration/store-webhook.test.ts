import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startedOrder } from "./fakes/orders.js";
import { type Bench, HEALTH_KEY, STORE_WEBHOOK_SECRET, setUp } from "./fakes/set-up.js";

let bench: Bench;
beforeAll(async () => {
  bench = await setUp();
});
beforeEach(() => {
  bench.store.fault = null;
});
afterAll(() => bench.close());

const started = () => startedOrder(bench);

const path = "/v1/stores/demo/store-webhook";
function deliver(body: string, headers: Record<string, string> = {}) {
  const signature = createHmac("sha256", STORE_WEBHOOK_SECRET).update(body).digest("base64");
  return bench.call(path, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-wc-webhook-topic": "order.updated",
      "x-wc-webhook-signature": signature,
      ...headers,
    },
  });
}

describe("POST /store-webhook", () => {
  it("returns 200 for WooCommerce's unsigned ping", async () => {
    const response = await bench.call(path, {
      method: "POST",
      body: new URLSearchParams({ webhook_id: "12" }),
    });
    expect(response).toMatchObject({ status: 200, body: { status: "ping" } });
  });

  it("is rejected with 401 if its signature is missing, wrong or for another body", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.edit(id, { status: "cancelled" });
    const body = JSON.stringify({ id });
    const foreign = createHmac("sha256", "another secret").update(body).digest("base64");
    const other = createHmac("sha256", STORE_WEBHOOK_SECRET).update(`${body} `).digest("base64");
    for (const signature of [foreign, other, "", "%%%", foreign.slice(0, 10)]) {
      expect((await deliver(body, { "x-wc-webhook-signature": signature })).status).toBe(401);
    }
    const unsigned = await bench.call(path, { method: "POST", body });
    expect(unsigned).toMatchObject({ status: 401, body: { message: { code: 401 }, type: "error" } });
    // A form with more fields than a ping is not a ping.
    const form = new URLSearchParams({ webhook_id: "12", id: String(id) });
    expect((await bench.call(path, { method: "POST", body: form })).status).toBe(401);
    await bench.connector.idle();
    expect(bench.tillgate.order(tillgateOrder).status).toBe("PENDING");
    expect((await bench.connector.health()).problem_counts).toMatchObject({ webhook_refused: 1 });
  });

  it("gets an error response and is counted as failed if its check cannot be stored", async () => {
    const { id } = await started();
    await bench.database.query("ALTER TABLE due RENAME TO unavailable");
    try {
      expect((await deliver(JSON.stringify({ id }))).status).toBeGreaterThanOrEqual(500);
    } finally {
      await bench.database.query("ALTER TABLE unavailable RENAME TO due");
    }
    const metrics = await fetch(`${bench.url}/metrics`, {
      headers: { authorization: `Bearer ${HEALTH_KEY}` },
    });
    expect(await metrics.text()).toContain(
      'tillgate_connector_store_webhooks_total{store="demo",outcome="failed"} 1',
    );
  });

  it("cancels the payment of a cancelled order immediately, without a sweep", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.edit(id, { status: "cancelled" });
    expect(await deliver(JSON.stringify({ id }))).toMatchObject({ status: 200, body: { status: "queued" } });
    await bench.connector.idle();
    expect(bench.tillgate.order(tillgateOrder).status).toBe("CANCELLED");
  });

  it("only triggers a check: its body is not trusted", async () => {
    const { id, tillgateOrder } = await started();
    await deliver(JSON.stringify({ id, status: "cancelled", total: "1.00", payment_method: "bacs" }));
    await bench.connector.idle();
    expect(bench.tillgate.order(tillgateOrder).status).toBe("PENDING");
    expect(bench.store.history.get(id)).toEqual(["pending"]);
  });

  it("cancels the payment of a deleted order", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.orders.delete(id);
    expect((await deliver(JSON.stringify({ id }), { "x-wc-webhook-topic": "order.deleted" })).status).toBe(
      200,
    );
    await bench.connector.idle();
    expect(bench.tillgate.order(tillgateOrder).status).toBe("CANCELLED");
  });

  it("sends a refund to Tillgate immediately", async () => {
    const { id, tillgateOrder } = await started();
    await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"));
    bench.store.refundByHand(id, "10.00");
    await deliver(JSON.stringify({ id }));
    await bench.connector.idle();
    expect(bench.tillgate.order(tillgateOrder).refunded_amount).toBe(10);
  });

  it("is stored while the store is down, and processed by the sweep", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.edit(id, { status: "cancelled" });
    bench.store.fault = (_call, response) => {
      response.writeHead(503).end();
      return true;
    };
    expect((await deliver(JSON.stringify({ id }))).status).toBe(200);
    await bench.connector.idle();
    expect(bench.tillgate.order(tillgateOrder).status).toBe("PENDING");
    bench.store.fault = null;
    await bench.makeDue();
    await bench.connector.sweep();
    expect(bench.tillgate.order(tillgateOrder).status).toBe("CANCELLED");
  });

  it("accepts a body of 500 KB, and rejects a body over 2 MiB with 413", async () => {
    const { id } = await started();
    const body = JSON.stringify({ id, line_items: "x".repeat(500_000) });
    expect(await deliver(body)).toMatchObject({ status: 200, body: { status: "queued" } });
    expect((await deliver(JSON.stringify({ id, line_items: "x".repeat(2 * 1024 * 1024) }))).status).toBe(413);
  });

  it("returns 200 with the status `ignored` for an unknown order, a different topic or an unreadable body", async () => {
    const responses = [
      await deliver(JSON.stringify({ id: 999_999 })),
      await deliver(JSON.stringify({ id: 1 }), { "x-wc-webhook-topic": "product.updated" }),
      await deliver("not JSON"),
      await deliver(JSON.stringify({ id: "1; DROP TABLE" })),
    ];
    for (const response of responses)
      expect(response).toMatchObject({ status: 200, body: { status: "ignored" } });
  });

  it("is rejected if no secret is configured, except for the ping", async () => {
    const other = await setUp({ storeWebhookSecret: null });
    try {
      const ping = await other.call(path, { method: "POST", body: new URLSearchParams({ webhook_id: "1" }) });
      expect(ping.status).toBe(200);
      const signature = createHmac("sha256", "").update("{}").digest("base64");
      const headers = { "x-wc-webhook-signature": signature, "x-wc-webhook-topic": "order.updated" };
      expect((await other.call(path, { method: "POST", body: "{}", headers })).status).toBe(401);
    } finally {
      await other.close();
    }
  });
});

it.each([
  ["active", {}],
  ["disabled", { store_webhook: 1 }],
  ["paused", { store_webhook: 1 }],
] as const)("the health report shows that the store's webhook is %s", async (status, problems) => {
  const other = await setUp();
  try {
    const delivery_url = "http://connector.test/v1/stores/demo/store-webhook";
    other.store.webhooks = [
      { status: "active", topic: "order.updated", delivery_url: "http://elsewhere.test/" },
      { status, topic: "order.updated", delivery_url },
    ];
    await other.connector.sweep();
    const health = await other.connector.health();
    expect(health.store_webhook).toBe(status);
    expect(health.problem_counts).toEqual(problems);
  } finally {
    await other.close();
  }
});
