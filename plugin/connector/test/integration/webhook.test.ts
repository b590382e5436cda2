import { rawKey, signWebhook } from "@tillgate/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENT_SECRET } from "./fakes/fake-tillgate.js";
import { type Bench, CONSUMER_SECRET, setUp } from "./fakes/set-up.js";

let bench: Bench;
let number = 100;
beforeAll(async () => {
  bench = await setUp({ claimMs: 3_000 });
});
afterAll(() => bench.close());

/** A store order whose payment was started. */
async function started(changes: { total?: string } = {}) {
  number += 1;
  bench.store.add({ id: number, ...changes });
  expect((await bench.start(number)).status).toBe(200);
  return { id: number, tillgateOrder: bench.tillgate.orderOf(String(number)).order_id };
}

/** One that is paid, and the shop knows. */
async function paid(changes: { total?: string } = {}) {
  const order = await started(changes);
  expect((await bench.deliver(bench.tillgate.set(order.tillgateOrder, "PAID"))).status).toBe(200);
  expect(bench.store.order(order.id).status).toBe("processing");
  return order;
}

describe("a signature", () => {
  it("that is wrong, missing, stale or the simple one alone is 401 and changes nothing", async () => {
    const { id, tillgateOrder } = await started();
    const good = bench.tillgate.set(tillgateOrder, "PAID");
    const { id: eventId, event, data } = JSON.parse(good.body);
    const foreign = bench.tillgate.sign(eventId, event, data, { secret: "another secret" });
    const old = bench.tillgate.sign(eventId, event, data, { ageSeconds: 301 });
    const future = bench.tillgate.sign(eventId, event, data, { ageSeconds: -301 });
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
      const answer = await bench.deliver(delivery);
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ message: { code: 401 }, data: [], type: "error" });
    }
    expect(bench.store.writes).toHaveLength(writes);
    expect(bench.store.order(id).status).toBe("pending");
    expect((await bench.deliver(good)).status).toBe(200);
  });

  it("of the secret before a rotation counts while it is configured", async () => {
    const other = await setUp({ clientSecrets: ["the new secret", CLIENT_SECRET] });
    try {
      other.store.add({ id: 1 });
      await other.start(1);
      const delivery = other.tillgate.set(other.tillgate.orderOf("1").order_id, "PAID");
      expect((await other.deliver(delivery)).status).toBe(200);
      expect(other.store.order(1).status).toBe("processing");
    } finally {
      await other.close();
    }
  });
});

describe("a delivery", () => {
  it("of a test is 2xx and changes nothing", async () => {
    const writes = bench.store.writes.length;
    const delivery = bench.tillgate.sign("evt_01234567890123456789", "tillgate.test", {});
    expect((await bench.deliver(delivery)).status).toBe(200);
    expect(bench.store.writes).toHaveLength(writes);
  });

  it("for an order of another store, or of one that was removed, is 404", async () => {
    const { id, tillgateOrder } = await started();
    const delivery = bench.tillgate.event("pos.order.paid", tillgateOrder, {
      order_id: "POS-20261121-FREMD0",
    });
    expect((await bench.deliver(delivery)).status).toBe(404);
    const gone = bench.tillgate.set(tillgateOrder, "PAID");
    bench.store.orders.delete(id);
    expect((await bench.deliver(gone)).status).toBe(404);
  });

  it("over 64 KiB is 413, and one that is genuine but no event of the contract is 5xx", async () => {
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

describe("paid", () => {
  it("makes the order Processing with the transaction, once, over repeats", async () => {
    const { id, tillgateOrder } = await started();
    const delivery = bench.tillgate.set(tillgateOrder, "PAID");
    for (const outcome of ["applied", "repeated", "repeated"]) {
      expect(await bench.deliver(delivery)).toMatchObject({ status: 200, body: { status: outcome } });
    }
    expect(bench.store.order(id).transaction_id).toBe(bench.tillgate.order(tillgateOrder).trx_id);
    expect(bench.store.history.get(id)).toEqual(["pending", "processing"]);
    expect(bench.store.notesOf(id)).toEqual([expect.stringContaining("paid 41.50 EUR")]);
  });

  it("delivered five times at the same instant makes one change and one note", async () => {
    const { id, tillgateOrder } = await started();
    const delivery = bench.tillgate.set(tillgateOrder, "PAID");
    const answers = await Promise.all(Array.from({ length: 5 }, () => bench.deliver(delivery)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.filter(({ body }) => body.status === "applied")).toHaveLength(1);
    const changes = bench.store.writes.filter(({ path }) => path === `orders/${id}`);
    expect(changes).toHaveLength(1);
    expect(bench.store.notesOf(id)).toHaveLength(1);
  });

  it.each(["on-hold", "cancelled"])(
    "from %s sets processing, where set_paid would do nothing",
    async (status) => {
      const { id, tillgateOrder } = await started();
      bench.store.edit(id, { status });
      expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
      expect(bench.store.order(id)).toMatchObject({ status: "processing" });
      expect(bench.store.order(id).transaction_id).not.toBe("");
    },
  );

  it("of an order that is cancelled between reading and writing still wins", async () => {
    const { id, tillgateOrder } = await started();
    let done = false;
    bench.store.fault = (call) => {
      if (call.method === "PUT" && !done) {
        done = true;
        bench.store.edit(id, { status: "cancelled" });
      }
      return false;
    };
    expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
    bench.store.fault = null;
    expect(bench.store.history.get(id)).toEqual(["pending", "cancelled", "processing"]);
  });

  it("over another amount than the order's is held for a person, not made Processing", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.edit(id, { total: "45.00" });
    expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
    expect(bench.store.order(id).status).toBe("on-hold");
    expect(bench.store.notesOf(id)).toEqual([expect.stringContaining("the order is over 45.00 EUR")]);
  });

  it.each([{ amount: 1.5 }, { currency: "USD" }, { reference: "another" }])(
    "that tells %j, which was not asked for, does not make the order Processing",
    async (changes) => {
      const { id, tillgateOrder } = await started();
      bench.tillgate.set(tillgateOrder, "PAID");
      const delivery = bench.tillgate.event("pos.order.paid", tillgateOrder, changes);
      expect((await bench.deliver(delivery)).status).toBe(200);
      expect(bench.store.order(id).status).toBe("on-hold");
    },
  );

  it("after another method was chosen pays an order that still needs it", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.edit(id, { payment_method: "bacs", status: "on-hold" });
    expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
    expect(bench.store.order(id).status).toBe("processing");
  });

  it("after another method has paid is refunded in full, once, with a note", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.edit(id, { payment_method: "card", status: "processing", transaction_id: "ch_1" });
    const delivery = bench.tillgate.set(tillgateOrder, "PAID");
    await bench.deliver(delivery);
    await bench.deliver(delivery);
    expect(bench.tillgate.order(tillgateOrder)).toMatchObject({ status: "REFUNDED", refunded_amount: 41.5 });
    expect(bench.tillgate.refunds.filter(({ reference }) => reference === String(id))).toHaveLength(1);
    expect(bench.store.order(id)).toMatchObject({ status: "processing", transaction_id: "ch_1" });
    expect(bench.store.notesOf(id)).toEqual([
      expect.stringContaining("It is refunded in full: 41.50 EUR paid back"),
    ]);
    // Its refund event is no refund of what the shop was paid by.
    await bench.deliver(bench.tillgate.event("pos.order.refunded", tillgateOrder));
    expect(bench.store.refundsOf(id)).toEqual([]);
    expect(bench.store.order(id).status).toBe("processing");
  });

  it("on an earlier attempt pays the order and cancels the current one", async () => {
    const { id, tillgateOrder } = await started();
    bench.tillgate.set(tillgateOrder, "EXPIRED");
    await bench.start(id);
    const current = bench.tillgate.orderOf(String(id)).order_id;
    expect(current).not.toBe(tillgateOrder);
    await bench.database.query("UPDATE attempts SET state = 'pending' WHERE tillgate_order_id = $1", [
      tillgateOrder,
    ]);
    expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
    expect(bench.store.order(id)).toMatchObject({
      status: "processing",
      transaction_id: bench.tillgate.order(tillgateOrder).trx_id,
    });
    expect(bench.tillgate.order(current).status).toBe("CANCELLED");
  });
});

describe("expired and cancelled", () => {
  it("expired makes a pending order Failed", async () => {
    const { id, tillgateOrder } = await started();
    await bench.deliver(bench.tillgate.set(tillgateOrder, "EXPIRED"));
    expect(bench.store.history.get(id)).toEqual(["pending", "failed"]);
    expect(bench.store.notesOf(id)).toEqual([expect.stringContaining("expired before it was paid")]);
  });

  it("expired brings an order on hold over Pending to Failed, so that its stock returns", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.edit(id, { status: "on-hold" });
    await bench.deliver(bench.tillgate.set(tillgateOrder, "EXPIRED"));
    expect(bench.store.history.get(id)).toEqual(["pending", "on-hold", "pending", "failed"]);
  });

  it("cancelled makes the order Cancelled", async () => {
    const { id, tillgateOrder } = await started();
    await bench.deliver(bench.tillgate.set(tillgateOrder, "CANCELLED"));
    expect(bench.store.history.get(id)).toEqual(["pending", "cancelled"]);
    expect(bench.store.notesOf(id)).toEqual([expect.stringContaining("was cancelled")]);
  });

  it("of an earlier attempt is a note and no change", async () => {
    const { id, tillgateOrder } = await started();
    const expired = bench.tillgate.set(tillgateOrder, "EXPIRED");
    await bench.start(id);
    await bench.database.query("UPDATE attempts SET state = 'pending' WHERE tillgate_order_id = $1", [
      tillgateOrder,
    ]);
    const before = bench.store.order(id).status;
    expect((await bench.deliver(expired)).status).toBe(200);
    expect(bench.store.order(id).status).toBe(before);
    expect(bench.store.notesOf(id).at(-1)).toContain("nothing was changed");
  });

  it("after paid changes nothing", async () => {
    const { id, tillgateOrder } = await paid();
    await bench.deliver(bench.tillgate.event("pos.order.expired", tillgateOrder));
    await bench.deliver(bench.tillgate.event("pos.order.cancelled", tillgateOrder));
    expect(bench.store.history.get(id)).toEqual(["pending", "processing"]);
    expect((await bench.read(id)).body.status).toBe("paid");
  });
});

describe("refunds", () => {
  it("a partial one makes one refund line, without asking the gateway, and leaves the order Processing", async () => {
    const { id, tillgateOrder } = await paid();
    const [completed] = bench.tillgate.refund(tillgateOrder, 10);
    if (completed === undefined) throw new Error("no event");
    for (let repeat = 0; repeat < 3; repeat += 1) expect((await bench.deliver(completed)).status).toBe(200);
    expect(bench.store.refundsOf(id)).toMatchObject([
      { amount: "10.00", meta_data: [{ key: "_tillgate_refund_id", value: expect.stringMatching(/^RF-/) }] },
    ]);
    expect(bench.store.order(id).status).toBe("processing");
    expect(bench.store.notesOf(id).at(-1)).toContain("refunded 10.00 EUR (RF-");
  });

  it("a full sum leaves the order Refunded by itself, whichever event comes first", async () => {
    for (const order of ["as sent", "reversed", "at once"]) {
      const { id, tillgateOrder } = await paid();
      const events = bench.tillgate.refund(tillgateOrder, 41.5);
      if (order === "reversed") events.reverse();
      if (order === "at once") await Promise.all(events.map((event) => bench.deliver(event)));
      else for (const event of events) expect((await bench.deliver(event)).status).toBe(200);
      expect(bench.store.refundsOf(id)).toHaveLength(1);
      expect(bench.store.history.get(id)).toEqual(["pending", "processing", "refunded"]);
      expect((await bench.read(id)).body).toMatchObject({ status: "refunded", shop_status: "refunded" });
      expect(bench.store.writes.some(({ body }) => body.status === "refunded")).toBe(false);
    }
  });

  it("what is missing is made from the list when all is refunded", async () => {
    const { id, tillgateOrder } = await paid();
    const lost = bench.tillgate.refund(tillgateOrder, 10);
    expect(lost).toHaveLength(1);
    const events = bench.tillgate.refund(tillgateOrder, 31.5);
    const refunded = events.at(-1);
    if (refunded === undefined) throw new Error("no event");
    expect((await bench.deliver(refunded)).status).toBe(200);
    expect(bench.store.refundsOf(id).map(({ amount }) => amount)).toEqual(["10.00", "31.50"]);
    expect(bench.store.order(id).status).toBe("refunded");
  });

  it("told before the payment end in the same state as told after it", async () => {
    const { id, tillgateOrder } = await started();
    const paidEvent = bench.tillgate.set(tillgateOrder, "PAID");
    const events = [...bench.tillgate.refund(tillgateOrder, 41.5).reverse(), paidEvent];
    for (const event of events) expect((await bench.deliver(event)).status).toBe(200);
    expect(bench.store.history.get(id)).toEqual(["pending", "processing", "refunded"]);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
  });

  it("are found by their number where the answer to making one was lost", async () => {
    const { id, tillgateOrder } = await paid();
    const [completed] = bench.tillgate.refund(tillgateOrder, 10);
    if (completed === undefined) throw new Error("no event");
    let lost = false;
    bench.store.fault = (call, response) => {
      if (call.method !== "POST" || !call.path.endsWith("/refunds") || lost) return false;
      lost = true;
      const meta_data = Array.isArray(call.body.meta_data) ? call.body.meta_data : [];
      bench.store.refundsOf(id).push({ id: 5000, amount: "10.00", reason: "", meta_data });
      response.destroy();
      return true;
    };
    expect((await bench.deliver(completed)).status).toBe(503);
    bench.store.fault = null;
    expect((await bench.deliver(completed)).status).toBe(200);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
    expect(bench.store.notesOf(id).at(-1)).toContain("refunded 10.00 EUR");
  });

  it("that the shop has already given by hand are a note, not a second record", async () => {
    const { id, tillgateOrder } = await paid();
    bench.store.refundsOf(id).push({ id: 6000, amount: "41.50", reason: "by hand", meta_data: [] });
    bench.store.edit(id, { status: "refunded" });
    const [completed] = bench.tillgate.refund(tillgateOrder, 41.5);
    if (completed === undefined) throw new Error("no event");
    expect((await bench.deliver(completed)).status).toBe(200);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
    expect(bench.store.notesOf(id).at(-1)).toContain("leave no room for it");
  });

  it("that failed are a note", async () => {
    const { id, tillgateOrder } = await paid();
    const [completed] = bench.tillgate.refund(tillgateOrder, 10);
    const data = JSON.parse(completed?.body ?? "{}").data;
    const failed = bench.tillgate.sign("evt_failed67890123456789", "refund.failed", {
      ...data,
      status: "failed",
    });
    expect((await bench.deliver(failed)).status).toBe(200);
    expect(bench.store.refundsOf(id)).toEqual([]);
    expect(bench.store.notesOf(id).at(-1)).toContain("failed. No money was moved");
  });
});

describe("failures of our own", () => {
  it.each([
    ["down", 503, "<h1>Maintenance</h1>"],
    ["answering a page with 200", 200, "<h1>Welcome</h1>"],
  ])("the store %s is 5xx, and a later delivery of the same event succeeds", async (_what, status, page) => {
    const { id, tillgateOrder } = await started();
    const delivery = bench.tillgate.set(tillgateOrder, "PAID");
    bench.store.fault = (_call, response) => {
      response.writeHead(status, { "content-type": "text/html" }).end(page);
      return true;
    };
    const answer = await bench.deliver(delivery);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).not.toBeNull();
    bench.store.fault = null;
    expect(await bench.deliver(delivery)).toMatchObject({ status: 200, body: { status: "applied" } });
    expect(bench.store.history.get(id)).toEqual(["pending", "processing"]);
  });

  it("killed between claim and change: the claim runs out and the next delivery does the work", async () => {
    const { id, tillgateOrder } = await started();
    const delivery = bench.tillgate.set(tillgateOrder, "PAID");
    // What a killed process leaves behind: a claim that nobody keeps and an event that is not done.
    expect(await bench.records.claims.take(`order:demo:${id}`, 1_000)).not.toBeNull();
    const startedMs = performance.now();
    expect(await bench.deliver(delivery)).toMatchObject({ status: 200, body: { status: "applied" } });
    expect(performance.now() - startedMs).toBeGreaterThan(800);
    expect(bench.store.history.get(id)).toEqual(["pending", "processing"]);
  });

  it("killed between change and record: the next delivery changes nothing and leaves one note", async () => {
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

  it("an order that another process works on for too long is 503, and nothing is changed", async () => {
    const other = await setUp({ claimWaitMs: 200 });
    try {
      other.store.add({ id: 1 });
      await other.start(1);
      const delivery = other.tillgate.set(other.tillgate.orderOf("1").order_id, "PAID");
      const token = await other.records.claims.take("order:demo:1", 60_000);
      const answer = await other.deliver(delivery);
      expect(answer).toMatchObject({ status: 503 });
      expect(answer.headers.get("retry-after")).toBe("2");
      expect(other.store.order(1).status).toBe("pending");
      await other.records.claims.release("order:demo:1", token ?? "");
      expect((await other.deliver(delivery)).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it("a claim that ran out before the change was written stops the write", async () => {
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
        // The process sleeps for longer than its claim, and another takes it over.
        await expect
          .poll(() => other.records.claims.take("order:demo:1", 1_000), { timeout: 5_000 })
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

it("no log holds a secret", () => {
  expect(bench.logged.length).toBeGreaterThan(0);
  for (const line of bench.logged) {
    expect(line).not.toContain(CONSUMER_SECRET);
    expect(line).not.toContain(CLIENT_SECRET);
  }
});
