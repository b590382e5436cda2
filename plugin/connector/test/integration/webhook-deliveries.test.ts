import { rawKey, signWebhook } from "@tillgate/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENT_SECRET } from "./fakes/fake-tillgate.js";
import { startedOrder } from "./fakes/orders.js";
import { type Bench, CONSUMER_SECRET, setUp } from "./fakes/set-up.js";

let bench: Bench;
beforeAll(async () => {
  bench = await setUp({ claimMs: 3_000 });
});
afterAll(() => bench.close());

const started = (changes: { total?: string } = {}) => startedOrder(bench, changes);

describe("a delivery without a valid signature", () => {
  it("is rejected with 401 and changes nothing if the signature is wrong, stale, dated in the future, or only in X-Tillgate-Signature", async () => {
    const { id, tillgateOrder } = await started();
    const good = bench.tillgate.set(tillgateOrder, "PAID");
    const { id: eventId, event, data } = JSON.parse(good.body);
    const foreign = bench.tillgate.sign(eventId, event, data, { secret: "another secret" });
    // 30 s beyond the tolerance, because Tillgate's clock is known only to about a second.
    const old = bench.tillgate.sign(eventId, event, data, { ageSeconds: 330 });
    const future = bench.tillgate.sign(eventId, event, data, { ageSeconds: -330 });
    const simple = Object.fromEntries(
      Object.entries(good.headers).filter(([name]) => !name.startsWith("webhook-")),
    );
    const writes = bench.store.writes.length;
    for (const delivery of [
      foreign,
      old,
      future,
      { body: good.body, headers: simple },
      { body: good.body.replace("41.5", "1.5"), headers: good.headers },
      { body: "not JSON", headers: { "content-type": "application/json" } },
    ]) {
      const response = await bench.deliver(delivery);
      expect(response.status).toBe(401);
      expect(response.body).toMatchObject({ message: { code: 401 }, data: [], type: "error" });
    }
    expect(bench.store.writes).toHaveLength(writes);
    expect(bench.store.order(id).status).toBe("pending");
    expect((await bench.deliver(good)).status).toBe(200);
  });
});

describe("a delivery", () => {
  it("gets 2xx and changes nothing for a test event", async () => {
    const writes = bench.store.writes.length;
    const delivery = bench.tillgate.sign("evt_01234567890123456789", "tillgate.test", {});
    expect((await bench.deliver(delivery)).status).toBe(200);
    expect(bench.store.writes).toHaveLength(writes);
  });

  it("gets 404 for an order of another store", async () => {
    const { tillgateOrder } = await started();
    const delivery = bench.tillgate.event("pos.order.paid", tillgateOrder, {
      order_id: "POS-20261121-FREMD0",
    });
    expect((await bench.deliver(delivery)).status).toBe(404);
  });

  it("gets 413 if it exceeds 64 KiB, and 5xx if it is signed but not a valid event", async () => {
    const body = JSON.stringify({ id: "evt_1", event: "pos.order.paid", data: {} });
    const headers = {
      ...signWebhook({
        id: "evt_1",
        event: "pos.order.paid",
        body,
        timestampSeconds: Math.floor(Date.now() / 1000),
        keys: [rawKey(CLIENT_SECRET)],
      }),
    };
    expect((await bench.deliver({ body, headers })).status).toBe(500);
    expect((await bench.deliver({ body: "x".repeat(65_537), headers })).status).toBe(413);
  });
});

describe("webhook processing", () => {
  it.each([
    ["is down", 503, "<h1>Maintenance</h1>"],
    ["returns a web page with status 200", 200, "<h1>Welcome</h1>"],
  ])("responds with 5xx when the store %s, and succeeds on a retry", async (_what, status, page) => {
    const { id, tillgateOrder } = await started();
    const delivery = bench.tillgate.set(tillgateOrder, "PAID");
    bench.store.fault = (_call, response) => {
      response.writeHead(status, { "content-type": "text/html" }).end(page);
      return true;
    };
    const reply = await bench.deliver(delivery);
    expect(reply.status).toBe(503);
    expect(reply.headers.get("retry-after")).not.toBeNull();
    bench.store.fault = null;
    expect(await bench.deliver(delivery)).toMatchObject({ status: 200, body: { status: "applied" } });
    expect(bench.store.history.get(id)).toEqual(["pending", "processing"]);
  });

  it("applies the event once the claim of a crashed process has expired", async () => {
    const { id, tillgateOrder } = await started();
    const delivery = bench.tillgate.set(tillgateOrder, "PAID");
    // The state left by a killed process: a claim that is not extended, and an unprocessed event.
    expect(await bench.records.of("demo").claims.acquire(`order:demo:${id}`, 1_000)).not.toBeNull();
    const startedMs = performance.now();
    expect(await bench.deliver(delivery)).toMatchObject({ status: 200, body: { status: "applied" } });
    expect(performance.now() - startedMs).toBeGreaterThan(800);
    expect(bench.store.history.get(id)).toEqual(["pending", "processing"]);
  });

  it("changes the order once and adds one note even if adding the note fails at first", async () => {
    const { id, tillgateOrder } = await started();
    const delivery = bench.tillgate.set(tillgateOrder, "PAID");
    bench.store.fault = (call, response) => {
      if (!call.path.endsWith("/notes")) return false;
      response.destroy();
      return true;
    };
    expect((await bench.deliver(delivery)).status).toBe(503);
    bench.store.fault = null;
    expect((await bench.deliver(delivery)).status).toBe(200);
    expect(bench.store.history.get(id)).toEqual(["pending", "processing"]);
    expect(bench.store.writes.filter(({ path }) => path === `orders/${id}`)).toHaveLength(1);
    expect(bench.store.notesOf(id)).toEqual([expect.stringContaining("paid 41.50 EUR")]);
  });

  it("responds with 503 and changes nothing while another process has claimed the order", async () => {
    const other = await setUp({ claimWaitMs: 200 });
    try {
      other.store.add({ id: 1 });
      await other.start(1);
      const delivery = other.tillgate.set(other.tillgate.orderOf("1").order_id, "PAID");
      const token = await other.records.of("demo").claims.acquire("order:demo:1", 60_000);
      const response = await other.deliver(delivery);
      expect(response).toMatchObject({ status: 503 });
      expect(response.headers.get("retry-after")).toBe("2");
      expect(other.store.order(1).status).toBe("pending");
      await other.records.of("demo").claims.release("order:demo:1", token ?? "");
      expect((await other.deliver(delivery)).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it("writes nothing if another process takes over its expired claim before the write", async () => {
    const other = await setUp({ claimMs: 300 });
    try {
      other.store.add({ id: 1 });
      await other.start(1);
      const delivery = other.tillgate.set(other.tillgate.orderOf("1").order_id, "PAID");
      let reads = 0;
      other.store.fault = async (call) => {
        if (call.method !== "GET" || call.path !== "orders/1") return false;
        reads += 1;
        if (reads !== 1) return false;
        // The process is paused until its claim expires, and another process takes over the claim.
        await expect
          .poll(() => other.records.of("demo").claims.acquire("order:demo:1", 1_000), { timeout: 5_000 })
          .not.toBeNull();
        return false;
      };
      expect((await other.deliver(delivery)).status).toBe(503);
      expect(other.store.order(1).status).toBe("pending");
      other.store.fault = null;
      expect((await other.deliver(delivery)).status).toBe(200);
      expect(other.store.history.get(1)).toEqual(["pending", "processing"]);
    } finally {
      await other.close();
    }
  });
});

it("the log contains no secrets", () => {
  expect(bench.logged.length).toBeGreaterThan(0);
  for (const line of bench.logged) {
    expect(line).not.toContain(CONSUMER_SECRET);
    expect(line).not.toContain(CLIENT_SECRET);
  }
});
