import { randomUUID } from "node:crypto";
import { ErrorCode } from "@tillgate/contract";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { OperationError } from "../../../src/errors.js";
import { resendDeliveries, resendDelivery } from "../../../src/events/deliveries/resend.js";
import { type OutboxHarness, openOutboxHarness } from "./support/harness.js";

let engine: OutboxHarness;
let owner: { merchantId: string; mode: "sandbox" | "live" };
let stranger: typeof owner;

const ownerOf = async (clientId: string): Promise<typeof owner> => {
  const { merchantId, mode } = await engine.sandbox.database.prisma.credential.findFirstOrThrow({
    where: { clientId },
  });
  return { merchantId, mode };
};

beforeAll(async () => {
  engine = await openOutboxHarness();
  owner = await ownerOf(engine.sandbox.access.merchant.client_id);
  stranger = await ownerOf(engine.sandbox.access.other_merchant.client_id);
});
afterEach(() => engine.stopAll());
afterAll(() => engine.close());

const errorCodeOf = async (work: Promise<unknown>): Promise<ErrorCode | undefined> => {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof OperationError) return error.errorCode;
    throw error;
  }
};
const context = () => engine.sandbox.context();
const isStatus = (status: string) => (delivery: { status: string }) => delivery.status === status;

async function createFailedDelivery(path: string): Promise<{ order: string; id: string }> {
  const order = await engine.createPaidOrder(engine.receiver.urlOf(path));
  const { id } = await engine.waitForDelivery(order, "the delivery has failed", isStatus("failed"));
  return { order, id };
}

const failRecord = () => Promise.reject(new Error("not recorded"));

describe("resending a delivery", () => {
  it("changes nothing if the audit record cannot be written", async () => {
    await engine.start();
    const { order, id } = await createFailedDelivery("/410?unrecorded");
    await expect(resendDelivery(context(), { ...owner, deliveryId: id }, failRecord)).rejects.toThrow(
      "not recorded",
    );
    const range = { ...owner, from: new Date(0), to: new Date(Date.now() + 60_000) };
    await expect(resendDeliveries(context(), range, failRecord)).rejects.toThrow("not recorded");
    await engine.waitForDelivery(order, "the delivery is still failed", isStatus("failed"));
  });

  it("schedules the next attempt immediately with the next number and the same ID, and keeps earlier attempts", async () => {
    await engine.start();
    const { order, id } = await createFailedDelivery("/410?again");
    await engine.execute("UPDATE deliveries SET address = $2 WHERE id = $1", [
      id,
      engine.receiver.urlOf("/ok?again"),
    ]);
    expect(await resendDelivery(context(), { ...owner, deliveryId: id })).toEqual({
      deliveryId: id,
      alreadyScheduled: false,
    });
    const delivered = await engine.waitForDelivery(order, "the event is delivered", isStatus("delivered"));
    expect(delivered).toMatchObject({ attempt_count: 2, attempts_before: 1, given_up_because: null });
    const { rows } = await engine.sandbox.database.pool.query(
      "SELECT number, http_status FROM attempts WHERE delivery_id = $1 ORDER BY number",
      [id],
    );
    expect(rows).toEqual([
      { number: 1, http_status: 410 },
      { number: 2, http_status: 200 },
    ]);
    expect(engine.receiver.requestsTo("/ok?again")[0]?.headers["webhook-id"]).toBe(
      engine.receiver.requestsTo("/410?again")[0]?.headers["webhook-id"],
    );
  });

  it("sends once for concurrent requests", async () => {
    await engine.start();
    const { order, id } = await createFailedDelivery("/410?once");
    await engine.stopAll();
    const calls = await Promise.all(
      Array.from({ length: 8 }, () => resendDelivery(context(), { ...owner, deliveryId: id })),
    );
    expect(calls.filter(({ alreadyScheduled }) => !alreadyScheduled)).toHaveLength(1);
    await engine.start();
    await engine.waitForDelivery(
      order,
      "the delivery has failed again",
      ({ status, attempt_count }) => status === "failed" && attempt_count === 2,
    );
    expect(engine.receiver.requestsTo("/410?once")).toHaveLength(2);
  });

  it("brings a scheduled retry forward and restarts the schedule", async () => {
    await engine.start();
    const order = await engine.createPaidOrder(engine.receiver.urlOf("/fails-twice?forward"));
    const { id } = await engine.waitForDelivery(
      order,
      "the first attempt has failed",
      (d) => d.attempt_count === 1 && d.status === "pending",
    );
    await engine.execute(
      "UPDATE deliveries SET next_attempt_at = clock_timestamp() + interval '9 hours' WHERE id = $1",
      [id],
    );
    await resendDelivery(context(), { ...owner, deliveryId: id });
    const second = await engine.waitForDelivery(
      order,
      "the second attempt has failed",
      (d) => d.attempt_count === 2 && d.status === "pending",
    );
    expect(second.attempts_before).toBe(1);
    // The first step of the schedule, with jitter.
    expect(second.wait_ms).toBeLessThanOrEqual(12_000);
  });

  it("is rejected for a disabled or removed endpoint, another merchant or mode, and a malformed ID", async () => {
    await engine.start();
    const endpoint = await engine.sandbox.addReceiver(engine.receiver.urlOf("/410?refused"), [
      "pos.order.paid",
    ]);
    const order = await engine.createPaidOrder();
    const { id } = await engine.waitForDelivery(order, "the delivery has failed", isStatus("failed"));
    const resend = (change: object) =>
      errorCodeOf(resendDelivery(context(), { ...owner, deliveryId: id, ...change }));
    expect(await resend({})).toBe(ErrorCode.ReceiverInactive);
    await engine.execute(
      "UPDATE receivers SET disabled_at = NULL, disabled_reason = NULL, removed_at = clock_timestamp() WHERE id = $1",
      [endpoint.id],
    );
    expect(await resend({})).toBe(ErrorCode.ReceiverInactive);
    expect(await resend({ merchantId: stranger.merchantId })).toBe(ErrorCode.DeliveryNotFound);
    expect(await resend({ mode: "live" })).toBe(ErrorCode.DeliveryNotFound);
    expect(await resend({ deliveryId: randomUUID() })).toBe(ErrorCode.DeliveryNotFound);
    expect(await resend({ deliveryId: "1 OR true" })).toBe(ErrorCode.DeliveryNotFound);
    expect((await engine.deliveriesOf(order))[0]).toMatchObject({ status: "failed", attempt_count: 1 });
  });
});

describe("resending failed deliveries in a range", () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 12, minutes));

  async function failedAt(minutes: number, receiverId?: string): Promise<string> {
    const event = `evt_${randomUUID().replaceAll("-", "")}`;
    // Inserts an event of an old payout, as restoring a backup does.
    await engine.insertWithoutTriggers(
      `INSERT INTO events (id, mode, merchant_id, name, payout_id, body, created_at)
       VALUES ($1, $2, $3, 'payout.completed', $1, '{}', $4)`,
      [event, owner.mode, owner.merchantId, at(minutes)],
    );
    const delivery = await engine.sandbox.database.pool.query<{ id: string }>(
      `INSERT INTO deliveries (mode, event_id, receiver_id, credential_id, address, status, settled_at, attempt_count)
       SELECT $1::mode, $2::text, $3::uuid, CASE WHEN $3::uuid IS NULL THEN (SELECT id FROM credentials WHERE merchant_id = $4 AND mode = $1::mode AND kind = 'client' LIMIT 1) END,
         'http://127.0.0.1:1024/', 'failed', clock_timestamp(), 11 RETURNING id`,
      [owner.mode, event, receiverId ?? null, owner.merchantId],
    );
    return String(delivery.rows[0]?.id);
  }
  const statusOf = async (id: string) =>
    (
      await engine.sandbox.database.pool.query<{ status: string; attempts_before: number }>(
        "SELECT status, attempts_before FROM deliveries WHERE id = $1",
        [id],
      )
    ).rows[0];

  it("is limited to the half-open range, merchant, mode and endpoint, and skips disabled endpoints", async () => {
    const mine = await engine.sandbox.addReceiver("http://127.0.0.1:1024/mine", []);
    const gone = await engine.sandbox.addReceiver("http://127.0.0.1:1024/gone", []);
    await engine.execute(
      "UPDATE receivers SET disabled_at = clock_timestamp(), disabled_reason = 'gone' WHERE id = $1",
      [gone.id],
    );
    const [before, first, inside, end] = [
      await failedAt(9),
      await failedAt(10),
      await failedAt(15, mine.id),
      await failedAt(20),
    ];
    const inactive = await failedAt(16, gone.id);
    const range = { ...owner, from: at(10), to: at(20) };
    expect(await resendDeliveries(context(), { ...range, merchantId: stranger.merchantId })).toMatchObject({
      resent: 0,
      skipped: 0,
    });
    expect(await resendDeliveries(context(), { ...range, mode: "live" })).toMatchObject({ resent: 0 });
    expect(await resendDeliveries(context(), { ...range, receiverId: mine.id })).toEqual({
      resent: 1,
      skipped: 0,
      more: false,
    });
    expect(await resendDeliveries(context(), range)).toEqual({ resent: 1, skipped: 1, more: false });
    expect(await resendDeliveries(context(), range)).toEqual({ resent: 0, skipped: 1, more: false });
    for (const id of [first, inside])
      expect(await statusOf(id)).toEqual({ status: "queued", attempts_before: 11 });
    for (const id of [before, end, inactive]) expect((await statusOf(id))?.status).toBe("failed");
    await expect(resendDeliveries(context(), { ...range, to: at(10) })).rejects.toThrow(RangeError);
  });

  it("covers more than one batch, and schedules each delivery once for concurrent requests", async () => {
    const event = await failedAt(31);
    await engine.execute(
      `INSERT INTO deliveries (mode, event_id, credential_id, address, status, settled_at, attempt_count)
       SELECT mode, event_id, credential_id, address, status, settled_at, attempt_count FROM deliveries, generate_series(1, 1299) WHERE id = $1`,
      [event],
    );
    const range = { ...owner, from: at(30), to: at(40) };
    const both = await Promise.all([resendDeliveries(context(), range), resendDeliveries(context(), range)]);
    const rest = await resendDeliveries(context(), range);
    expect([...both, rest].reduce((sum, { resent }) => sum + resent, 0)).toBe(1_300);
  });
});
