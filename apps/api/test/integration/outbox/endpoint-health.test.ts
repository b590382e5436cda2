import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "../../support/wait-until.js";
import { type DeliveryState, type OutboxHarness, openOutboxHarness } from "./support/harness.js";

let engine: OutboxHarness;
beforeAll(async () => {
  engine = await openOutboxHarness();
});
afterEach(async () => {
  await engine.stopAll();
  await engine.execute("UPDATE receivers SET removed_at = clock_timestamp() WHERE removed_at IS NULL");
  await engine.execute("DELETE FROM timeline_entries");
});
afterAll(() => engine.close());

const addEndpoint = (path: string) =>
  engine.sandbox.addReceiver(engine.receiver.urlOf(path), ["pos.order.paid"]);
const attempts =
  (count: number) =>
  ({ attempt_count, status }: DeliveryState) =>
    attempt_count === count && status !== "queued";

async function failAttempts(orderId: string, times: number): Promise<DeliveryState> {
  for (let count = 1; ; count += 1) {
    const failed = await engine.waitForDelivery(orderId, `attempt ${count} is recorded`, attempts(count));
    if (count === times) return failed;
    await engine.makeDue(failed.id);
  }
}

describe("endpoint health", () => {
  it("warns after five consecutive failures, not four, and once per streak", async () => {
    await engine.start();
    const { id } = await addEndpoint("/500?warned");
    const order = await engine.createPaidOrder();
    const fourth = await failAttempts(order, 4);
    expect(await engine.timeline()).toEqual([]);
    expect(await engine.receiverOf(id)).toMatchObject({ failures_in_row: 4, warned_at: null });

    await engine.makeDue(fourth.id);
    const fifth = await engine.waitForDelivery(order, "the fifth attempt has failed", attempts(5));
    await engine.makeDue(fifth.id);
    await engine.waitForDelivery(order, "the sixth attempt has failed", attempts(6));
    expect(await engine.receiverOf(id)).toMatchObject({
      failures_in_row: 6,
      last_failure_kind: "status",
      last_failure_status: 500,
      disabled_at: null,
    });
    expect(await engine.timeline()).toMatchObject([
      {
        kind: "receiver.warning",
        receiver_id: id,
        details: { error_kind: "status", http_status: 500, failures_in_row: 5, host: expect.any(String) },
      },
    ]);
  });

  it("warns once when deliveries from several processes fail at the same time", async () => {
    await Promise.all([engine.start(), engine.start(), engine.start()]);
    const { id } = await addEndpoint("/500?crowd");
    const orders = await Promise.all(Array.from({ length: 24 }, () => engine.createPaidOrder()));
    for (const order of orders)
      await engine.waitForDelivery(order, "the first attempt has failed", attempts(1), 20_000);
    expect(await engine.receiverOf(id)).toMatchObject({ failures_in_row: 24 });
    expect(await engine.timeline()).toHaveLength(1);
  });

  it("warns again in the next streak, after a success has ended the previous streak", async () => {
    await engine.start();
    const { id } = await addEndpoint("/500?streaks");
    await failAttempts(await engine.createPaidOrder(), 5);
    await engine.execute("UPDATE receivers SET address = $2 WHERE id = $1", [
      id,
      engine.receiver.urlOf("/ok?streaks"),
    ]);
    await engine.waitForDelivery(
      await engine.createPaidOrder(),
      "the event is delivered",
      ({ status }) => status === "delivered",
    );
    expect(await engine.receiverOf(id)).toMatchObject({
      failures_in_row: 0,
      failing_since: null,
      warned_at: null,
      last_success_at: expect.any(Date),
    });
    await engine.execute("UPDATE receivers SET address = $2 WHERE id = $1", [
      id,
      engine.receiver.urlOf("/500?streaks"),
    ]);
    await failAttempts(await engine.createPaidOrder(), 5);
    expect((await engine.timeline()).map(({ kind }) => kind)).toEqual([
      "receiver.warning",
      "receiver.warning",
    ]);
  });

  it.each([
    ["does not disable", "4 days 23 hours 59 minutes", false],
    ["disables", "5 days 1 minute", true],
  ])("%s an endpoint that has been failing for %s", async (_what, age, disabled) => {
    await engine.start();
    const { id } = await addEndpoint(`/500?${disabled}`);
    const order = await engine.createPaidOrder();
    const other = await engine.createPaidOrder();
    const fifth = await failAttempts(order, 5);
    await engine.waitForDelivery(other, "the other delivery has failed", attempts(1));
    await engine.execute(
      "UPDATE receivers SET failing_since = clock_timestamp() - $2::interval WHERE id = $1",
      [id, age],
    );
    await engine.makeDue(fifth.id);
    await engine.waitForDelivery(
      order,
      "the sixth attempt is over",
      ({ attempt_count }) => attempt_count === 6,
    );
    const now = await engine.receiverOf(id);
    const kinds = (await engine.timeline()).map(({ kind }) => kind);
    if (!disabled) {
      expect(now.disabled_at).toBeNull();
      expect(kinds).toEqual(["receiver.warning"]);
      return;
    }
    expect(now).toMatchObject({ disabled_at: expect.any(Date), disabled_reason: "failing" });
    expect(kinds).toEqual(["receiver.warning", "receiver.disabled"]);
    for (const waiting of [order, other])
      expect(
        await engine.waitForDelivery(
          waiting,
          "the waiting delivery has failed",
          ({ status }) => status === "failed",
        ),
      ).toMatchObject({ given_up_because: "receiver_disabled" });
    await waitUntil(
      "the endpoint's deliveries are updated",
      async () => !(await engine.receiverOf(id)).deliveries_lag,
    );
  });

  it("disables an endpoint that returns 410, with one timeline entry even for many deliveries in progress", async () => {
    const { id } = await addEndpoint("/410?gone");
    const orders = await Promise.all(Array.from({ length: 12 }, () => engine.createPaidOrder()));
    await Promise.all([engine.start(), engine.start()]);
    const sent = await Promise.all(
      orders.map((order) =>
        engine.waitForDelivery(order, "the delivery has failed", ({ status }) => status === "failed"),
      ),
    );
    expect(await engine.receiverOf(id)).toMatchObject({ disabled_reason: "gone" });
    expect((await engine.timeline()).filter(({ kind }) => kind === "receiver.disabled")).toHaveLength(1);
    const reasons = new Set(sent.map(({ given_up_because }) => given_up_because));
    expect([...reasons].every((reason) => reason === "gone" || reason === "receiver_disabled")).toBe(true);
  });

  it.each([
    ["does not record", "4 seconds", false],
    ["records", "5.01 seconds", true],
  ])("%s a success %s after the last recorded success", async (_what, ago, written) => {
    const { id } = await addEndpoint(`/ok?${written}`);
    await engine.execute(
      "UPDATE receivers SET last_success_at = clock_timestamp() - $2::interval WHERE id = $1",
      [id, ago],
    );
    const before = await engine.receiverOf(id);
    await engine.execute("SELECT record_receiver_success($1)", [id]);
    const after = await engine.receiverOf(id);
    expect(after.last_success_at?.getTime() !== before.last_success_at?.getTime()).toBe(written);
  });
});

describe("a callback_url", () => {
  it("gets one timeline entry, without the URL's query, when a delivery is abandoned", async () => {
    await engine.start();
    const order = await engine.createPaidOrder(engine.receiver.urlOf("/410?secret=in-the-query"));
    const delivery = await engine.waitForDelivery(
      order,
      "the delivery has failed",
      ({ status }) => status === "failed",
    );
    const entries = await engine.timeline();
    expect(entries).toMatchObject([
      {
        kind: "delivery.given_up",
        receiver_id: null,
        details: {
          delivery_id: delivery.id,
          order_id: order,
          because: "gone",
          attempts: 1,
          http_status: 410,
        },
      },
    ]);
    expect(JSON.stringify(entries.map(({ details }) => details))).not.toContain("secret");
  });
});

describe("webhook endpoint", () => {
  it("keeps all deliveries on hold while paused; when resumed, receives them and has its failure count reset", async () => {
    await engine.start();
    const { id } = await addEndpoint("/ok?paused");
    await engine.execute(
      `UPDATE receivers SET paused_at = clock_timestamp(), failures_in_row = 3, failing_since = clock_timestamp() WHERE id = $1`,
      [id],
    );
    const orders = [await engine.createPaidOrder(), await engine.createPaidOrder()];
    for (const order of orders)
      await engine.waitForDelivery(order, "the delivery is held", ({ status }) => status === "held");
    expect(engine.receiver.requestsTo("/ok?paused")).toHaveLength(0);
    await engine.execute("UPDATE receivers SET paused_at = NULL WHERE id = $1", [id]);
    expect(await engine.receiverOf(id)).toMatchObject({ failures_in_row: 0, failing_since: null });
    await engine.wake();
    for (const order of orders)
      await engine.waitForDelivery(order, "the event is delivered", ({ status }) => status === "delivered");
    expect(engine.receiver.requestsTo("/ok?paused")).toHaveLength(2);
  });

  it("keeps scheduled retries on hold while paused, and fails them when removed, even if they exceed one batch", async () => {
    const { id } = await engine.sandbox.addReceiver(engine.receiver.urlOf("/500?held"), [
      "pos.order.paid",
      "refund.completed",
    ]);
    const order = await engine.createPaidOrder();
    // Inserts the events as restoring a backup does, and then their deliveries.
    await engine.insertRefundEvents(order, 1_201);
    await engine.execute(
      `INSERT INTO deliveries (mode, event_id, receiver_id, address)
       SELECT v.mode, v.id, r.id, r.address FROM events v, receivers r
       WHERE v.order_id = $1 AND v.name = 'refund.completed' AND r.id = $2`,
      [order, id],
    );
    await engine.execute(
      `UPDATE deliveries SET status = 'pending', next_attempt_at = clock_timestamp() + interval '1 hour'
       WHERE receiver_id = $1 AND id < '80000000-0000-0000-0000-000000000000'`,
      [id],
    );
    await engine.execute("UPDATE receivers SET paused_at = clock_timestamp() WHERE id = $1", [id]);
    await engine.start();
    const count = async (status: string) =>
      (await engine.deliveriesOf(order)).filter((delivery) => delivery.status === status).length;
    await waitUntil("all deliveries are held", async () => (await count("held")) === 1_202);
    expect(engine.receiver.requestsTo("/500?held")).toHaveLength(0);
    await engine.execute("UPDATE receivers SET removed_at = clock_timestamp() WHERE id = $1", [id]);
    await waitUntil("all deliveries have failed", async () => (await count("failed")) === 1_202);
    expect((await engine.deliveriesOf(order))[0]?.given_up_because).toBe("receiver_removed");
  });

  it("receives no events after its removal, which is final", async () => {
    const { id } = await addEndpoint("/ok?removed");
    await engine.execute("UPDATE receivers SET removed_at = clock_timestamp() WHERE id = $1", [id]);
    expect(await engine.deliveriesOf(await engine.createPaidOrder())).toEqual([]);
    await expect(
      engine.execute("UPDATE receivers SET removed_at = NULL WHERE id = $1", [id]),
    ).rejects.toThrow("is removed and cannot be restored");
  });

  it("receives a pending delivery at its changed URL, which the delivery then shows", async () => {
    await engine.start();
    const { id } = await addEndpoint("/500?moved");
    const order = await engine.createPaidOrder();
    const failed = await failAttempts(order, 1);
    const address = engine.receiver.urlOf("/ok?moved");
    await engine.execute("UPDATE receivers SET address = $2 WHERE id = $1", [id, address]);
    await engine.makeDue(failed.id);
    const delivered = await engine.waitForDelivery(
      order,
      "the event is delivered",
      ({ status }) => status === "delivered",
    );
    expect(delivered).toMatchObject({ address });
  });
});
