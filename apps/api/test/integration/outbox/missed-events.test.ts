import { ErrorCode } from "@tillgate/contract";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Manager } from "../../../src/audit/administrator.js";
import { OperationError } from "../../../src/errors.js";
import { backfill, countBackfill } from "../../../src/events/deliveries/backfill.js";
import { type OutboxHarness, openOutboxHarness } from "./support/harness.js";

let engine: OutboxHarness;
let owner: { merchantId: string; mode: "sandbox" | "live" };
let stranger: typeof owner;
let by: Manager;

beforeAll(async () => {
  engine = await openOutboxHarness();
  const { prisma } = engine.sandbox.database;
  const { access } = engine.sandbox;
  const ownerOf = async (clientId: string) => {
    const { merchantId, mode } = await prisma.credential.findFirstOrThrow({ where: { clientId } });
    return { merchantId, mode };
  };
  owner = await ownerOf(access.merchant.client_id);
  stranger = await ownerOf(access.other_merchant.client_id);
  by = await prisma.consoleUser.findUniqueOrThrow({ where: { email: access.merchant_user.email } });
});
afterEach(async () => {
  await engine.stopAll();
  await engine.execute("UPDATE receivers SET removed_at = clock_timestamp() WHERE removed_at IS NULL");
});
afterAll(() => engine.close());

const context = () => engine.sandbox.context();
const ALWAYS = { from: new Date(0), to: new Date("2100-01-01T00:00:00Z") };
const idsAt = (path: string) =>
  engine.receiver.requestsTo(path).map(({ headers }) => String(headers["webhook-id"]));
const eventOf = async (order: string) =>
  (await engine.sandbox.database.pool.query("SELECT id FROM events WHERE order_id = $1", [order])).rows[0].id;
const disable = (id: string) =>
  engine.execute(
    "UPDATE receivers SET disabled_at = clock_timestamp(), disabled_reason = 'failing' WHERE id = $1",
    [id],
  );
const enable = (id: string) =>
  engine.execute("UPDATE receivers SET disabled_at = NULL, disabled_reason = NULL WHERE id = $1", [id]);

describe("missed events of an endpoint", () => {
  it("are counted, then sent once: events created before the endpoint or while it was disabled, and events whose delivery failed", async () => {
    await engine.execute("DELETE FROM deliveries");
    const before = await engine.createPaidOrder();
    const { id } = await engine.sandbox.addReceiver(engine.receiver.urlOf("/ok?missed"), ["pos.order.paid"]);
    const givenUp = await engine.createPaidOrder();
    await disable(id);
    const during = await engine.createPaidOrder();
    await engine.start();
    await engine.waitForDelivery(givenUp, "the delivery has failed", ({ status }) => status === "failed");
    const endpoint = { ...owner, receiverId: id, ...ALWAYS };
    await expect(backfill(context(), { ...endpoint, by })).rejects.toMatchObject({
      errorCode: ErrorCode.ReceiverInactive,
    });
    await enable(id);
    const after = await engine.createPaidOrder();
    await engine.waitForDelivery(after, "the new event arrives", ({ status }) => status === "delivered");

    const counted = await countBackfill(context(), endpoint);
    expect(counted.givenUp).toBe(1);
    expect(counted.more).toBe(false);
    const own = { from: (await createdAt(before)) ?? new Date(0), to: ALWAYS.to };
    expect(await countBackfill(context(), { ...endpoint, ...own })).toMatchObject({
      neverSent: 2,
      givenUp: 1,
    });
    expect(engine.receiver.requestsTo("/ok?missed")).toHaveLength(1);

    // Concurrent requests to several processes.
    const clicks = await Promise.all(
      Array.from({ length: 6 }, () => backfill(context(), { ...endpoint, ...own, by })),
    );
    expect(clicks.reduce((sum, { sent }) => sum + sent, 0)).toBe(3);
    for (const order of [before, givenUp, during])
      await engine.waitForDelivery(order, "the event arrives", ({ status }) => status === "delivered");
    expect(await backfill(context(), { ...endpoint, ...own, by })).toEqual({ sent: 0, more: false });
    expect(await countBackfill(context(), { ...endpoint, ...own })).toMatchObject({
      neverSent: 0,
      givenUp: 0,
    });
    const ids = idsAt("/ok?missed");
    expect(ids).toHaveLength(4);
    expect(new Set(ids)).toEqual(new Set(await Promise.all([before, givenUp, during, after].map(eventOf))));
    const { rows } = await engine.sandbox.database.pool.query<{ deliveries: number }>(
      `SELECT sum((details::json ->> 'deliveries')::int)::int AS deliveries FROM audit_records
       WHERE action = 'receiver.send_missed' AND subject = $1`,
      [id],
    );
    expect(rows).toEqual([{ deliveries: 3 }]);
  });

  const createdAt = async (order: string): Promise<Date | undefined> =>
    (
      await engine.sandbox.database.pool.query<{ created_at: Date }>(
        "SELECT created_at FROM events WHERE order_id = $1",
        [order],
      )
    ).rows[0]?.created_at;

  it("are limited to the half-open range and the endpoint's event types", async () => {
    const order = await engine.createPaidOrder();
    const { id } = await engine.sandbox.addReceiver(engine.receiver.urlOf("/ok?range"), ["pos.order.paid"]);
    const other = await engine.sandbox.addReceiver(engine.receiver.urlOf("/ok?else"), ["pos.order.expired"]);
    const at = (await createdAt(order)) ?? new Date(Number.NaN);
    const next = new Date(at.getTime() + 1);
    const count = async (receiverId: string, from: Date, to: Date) =>
      (await countBackfill(context(), { ...owner, receiverId, from, to })).neverSent;
    expect(await count(id, at, next)).toBe(1);
    expect(await count(id, new Date(at.getTime() - 1), at)).toBe(0);
    expect(await count(id, next, ALWAYS.to)).toBe(0);
    expect(await count(other.id, at, next)).toBe(0);
    await expect(backfill(context(), { ...owner, receiverId: id, by, from: next, to: next })).rejects.toThrow(
      RangeError,
    );
  });

  it("do not delay current events, even if they do not fit in one transaction", async () => {
    const order = await engine.createPaidOrder();
    const from = (await createdAt(order)) ?? new Date(0);
    // Inserts the events as restoring a backup does, without deliveries.
    await engine.insertRefundEvents(order, 1_001);
    const { id } = await engine.sandbox.addReceiver(engine.receiver.urlOf("/slow?many"), [
      "refund.completed",
      "pos.order.paid",
    ]);
    expect(await backfill(context(), { ...owner, receiverId: id, by, from, to: ALWAYS.to })).toEqual({
      sent: 1_002,
      more: false,
    });
    await engine.start();
    const fresh = await engine.createPaidOrder();
    await engine.waitForDelivery(fresh, "the new event arrives", ({ status }) => status === "delivered");
    expect(engine.receiver.requestsTo("/slow?many").length).toBeLessThan(500);
  });

  it("cannot be counted or sent for another merchant or mode, a removed endpoint or a malformed ID", async () => {
    const { id } = await engine.sandbox.addReceiver(engine.receiver.urlOf("/ok?mine"), ["pos.order.paid"]);
    const expectRejected = async (scope: typeof owner, receiverId: string) => {
      for (const work of [countBackfill, backfill])
        await expect(work(context(), { ...scope, receiverId, ...ALWAYS, by })).rejects.toMatchObject(
          new OperationError(ErrorCode.ReceiverNotFound),
        );
    };
    await expectRejected(stranger, id);
    await expectRejected({ ...owner, mode: "live" }, id);
    await expectRejected(owner, "no id");
    await engine.execute("UPDATE receivers SET removed_at = clock_timestamp() WHERE id = $1", [id]);
    await expectRejected(owner, id);
  });
});
