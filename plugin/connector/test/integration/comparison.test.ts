import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { ComparedOrder, OrderDifference } from "@tillgate/contract";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compare as compareByCommand } from "../../src/compare/compare.js";
import type { DifferenceName } from "../../src/records/records.js";
import { send } from "./fakes/fake-store.js";
import { CLIENT_SECRET } from "./fakes/fake-tillgate.js";
import { type Bench, HEALTH_KEY, setUp } from "./fakes/set-up.js";

const POLL_MS = 10;

const inUse = { mode: "sandbox", clientId: "ci_demo", clientSecret: CLIENT_SECRET } as const;
const live = { mode: "live", clientId: "ci_live", clientSecret: "a live secret" } as const;
const retired = { mode: "sandbox", clientId: "ci_before", clientSecret: "a retired secret" } as const;

let bench: Bench;
beforeAll(async () => {
  bench = await setUp({ compareBatch: 3, credentials: [inUse, retired, live] });
});
beforeEach(() => {
  bench.tillgate.compare = findDifferences;
});
afterAll(() => bench.close());
// Each test compares only its own payments.
afterEach(async () => {
  bench.tillgate.fault = null;
  bench.tillgate.afterComparison = null;
  bench.tillgate.comparisons.length = 0;
  bench.store.fault = null;
  while (await bench.connector.runComparison());
  await bench.database.query("DELETE FROM payments; DELETE FROM differences; DELETE FROM due");
});

type Found = Omit<OrderDifference, "accepted">;
const difference = (
  kind: OrderDifference["kind"],
  field: OrderDifference["field"],
  text: string,
  changes: Partial<Found>,
): Found => ({
  subject: "order",
  subject_id: "",
  field,
  kind,
  repair: null,
  text,
  advice: "Refund the excess, or ask the customer to pay the rest.",
  values: {},
  ...changes,
});

/** Finds the differences that these tests use. The API's tests cover all rules. */
function findDifferences({ order_id: subject_id, recorded, shop_order: shop }: ComparedOrder): Found[] {
  const { status, trx_id: trxId } = bench.tillgate.order(subject_id);
  const found: Found[] = [];
  if (status === "PAID" && shop?.counts_as === "pending") {
    const text = `41.50 EUR was paid in Tillgate (transaction ${trxId}), but the order’s status in the shop is “Pending payment”.`;
    found.push(difference("paid_shop_unpaid", "state", text, { subject_id, repair: "apply_order" }));
  }
  if (status === "EXPIRED" && recorded === "PENDING")
    found.push(difference("end_not_learned", "state", "It expired.", { subject_id, repair: "apply_order" }));
  if (status === "PENDING" && shop?.counts_as === "cancelled")
    found.push(difference("open_not_wanted", "state", "It is open.", { subject_id, repair: "cancel_open" }));
  if (recorded === "PAID" && shop !== null && shop.trx_id === undefined)
    found.push(
      difference("transaction_missing", "transaction", "It has none.", { subject_id, repair: "apply_order" }),
    );
  if (status === "PAID" && shop !== null && shop.total !== "41.50")
    found.push(
      difference(
        "amount_differs",
        "amount",
        `The order total in the shop is ${shop.total} EUR, but 41.50 EUR was paid in Tillgate.`,
        { subject_id },
      ),
    );
  for (const { refund_id } of bench.tillgate.refundsOf(trxId))
    if (shop?.refunds.every((refund) => refund.refund_id !== refund_id))
      found.push(
        difference("refund_missing_in_shop", "refund", "It is missing.", {
          subject: "refund",
          subject_id: refund_id,
          repair: "record_refund",
        }),
      );
  return found;
}

let orders = 0;
/** Creates an order and starts its payment. */
async function startPayment(): Promise<{ id: number; pos: string }> {
  orders += 1;
  const id = orders;
  bench.store.add({ id });
  await bench.start(id);
  return { id, pos: bench.tillgate.orderOf(String(id)).order_id };
}
async function paid() {
  const order = await startPayment();
  await bench.deliver(bench.tillgate.set(order.pos, "PAID"));
  expect(bench.store.order(order.id).status).toBe("processing");
  return order;
}
const paidOrders = async (count: number) => {
  const paidOnes = [];
  for (let number = 0; number < count; number += 1) paidOnes.push(await paid());
  return paidOnes;
};
/** Marks an order's payment as started with another key. */
const startedWith = (id: number, clientId: string, mode = "sandbox") =>
  bench.database.query("UPDATE payments SET client_id = $2, mode = $3 WHERE store_order_id = $1", [
    id,
    clientId,
    mode,
  ]);
/** Runs the comparison in progress to its end. */
async function end(): Promise<void> {
  await bench.connector.idle();
  while (await bench.connector.runComparison());
}
/** Runs a comparison. @returns the differences */
async function compare() {
  expect(await bench.connector.startComparison()).toBe(true);
  await end();
  const view = await bench.connector.comparison();
  expect(view.last).toMatchObject({ under_way: false, asked_by: "person" });
  return view.differences;
}
/** Returns what Tillgate received from a client: the compared and the skipped orders of each call, and the progress. */
const received = (clientId: string = inUse.clientId) =>
  bench.tillgate.comparisons
    .filter(({ client }) => client === clientId)
    .map(({ orders: sent, skipped_orders: skipped = [], progress }) => ({
      orders: sent.map(({ order_id }) => order_id),
      skipped,
      progress: progress && [progress.compared, progress.skipped, progress.completed],
    }));
const failWith = (status: number) => (response: ServerResponse) => {
  send(response, status, { message: { code: status, error: ["Try again later"] }, data: [], type: "error" });
  return true;
};
const nameOf = ({
  payment_id,
  subject,
  subject_id,
  field,
}: Awaited<ReturnType<typeof compare>>[number]): DifferenceName => ({
  paymentId: payment_id,
  subject,
  subjectId: subject_id,
  field,
});
const differencesOf = async (id: number) => (await compare()).filter(({ order_id }) => order_id === id);
/** Returns the only difference of an order. */
async function differenceOf(id: number) {
  const found = await differencesOf(id);
  expect(found).toHaveLength(1);
  const [one] = found;
  if (one === undefined) throw new Error(`Order ${id} agrees.`);
  return one;
}
/** Counts requests that move money or cancel a payment in Tillgate. */
const countMoneyRequests = () =>
  bench.tillgate.requests.filter((one) => / POST \/(refunds|orders)/.test(one)).length;

describe("a comparison with Tillgate", () => {
  it("sends a payment with its store order and refunds, but no customer data", async () => {
    const { id, pos } = await paid();
    for (const delivery of bench.tillgate.refund(pos, 5)) await bench.deliver(delivery);
    bench.store.refundByHand(id, "3.00");
    await bench.scheduleCheck(id);
    await bench.connector.sweep();
    expect(await compare()).toEqual([]);
    const [sent] = bench.tillgate.comparisons.flatMap((one) => one.orders);
    const { trx_id } = bench.tillgate.order(pos);
    const [atTillgate, inShop] = bench.tillgate.refundsOf(trx_id);
    const [first, second] = bench.store.refundsOf(id);
    expect(sent).toEqual({
      order_id: pos,
      order_number: String(id),
      order_url: `${bench.store.url}/wp-admin/post.php?post=${id}&action=edit`,
      current: true,
      recorded: "PAID",
      amount: "41.50",
      currency: "EUR",
      other_trx_ids: [],
      shop_order: {
        status: "processing",
        counts_as: "processing",
        total: "41.50",
        currency: "EUR",
        pays_with_tillgate: true,
        trx_id,
        changed_seconds_ago: expect.any(Number),
        refunds: [
          {
            id: String(first?.id),
            amount: "5.00",
            refund_id: atTillgate?.refund_id,
            mentioned_refund_id: atTillgate?.refund_id,
            sent: "no",
          },
          {
            id: String(second?.id),
            amount: "3.00",
            refund_id: inShop?.refund_id,
            reference: inShop?.reference,
            sent: "completed",
          },
        ],
      },
      recorded_refund_ids: [atTillgate?.refund_id, inShop?.refund_id],
    });
  });

  it("sends earlier payments of an order, and orders deleted in the shop", async () => {
    const { id, pos } = await startPayment();
    await bench.deliver(bench.tillgate.set(pos, "EXPIRED"));
    await bench.database.query("UPDATE payments SET trx_id = 'TRX-1' WHERE store_order_id = $1", [id]);
    bench.store.edit(id, { total: "50.00" });
    await bench.start(id);
    const current = bench.tillgate.orderOf(String(id));
    const deleted = await startPayment();
    bench.store.remove(deleted.id);
    await compare();
    const sent = bench.tillgate.comparisons.flatMap((one) => one.orders);
    expect(sent).toMatchObject([
      {
        order_id: pos,
        current: false,
        recorded: "EXPIRED",
        other_trx_ids: [],
        shop_order: { counts_as: "failed" },
      },
      {
        order_id: current.order_id,
        current: true,
        recorded: "PENDING",
        amount: "50.00",
        other_trx_ids: ["TRX-1"],
      },
      { order_id: deleted.pos, order_number: String(deleted.id), shop_order: null },
    ]);
  });

  it("reports the start, sends all payments in batches with running totals, and reports the end", async () => {
    const ids = (await paidOrders(7)).map(({ pos }) => pos);
    expect(await compare()).toEqual([]);
    const call = (sent: string[], compared: number, completed = false) => ({
      orders: sent,
      skipped: [],
      progress: [compared, 0, completed],
    });
    expect(received()).toEqual([
      call([], 0),
      call(ids.slice(0, 3), 3),
      call(ids.slice(3, 6), 6),
      call(ids.slice(6), 7),
      call([], 7, true),
    ]);
    const { last } = await bench.connector.comparison();
    expect(last).toMatchObject({ compared: 7, skipped: 0 });
    const days = new Set(bench.tillgate.comparisons.map(({ day }) => day));
    expect([...days]).toEqual([last?.started_at.slice(0, 10)]);
  });

  it("doesn't write to the shop, and doesn't move money or cancel payments at Tillgate", async () => {
    const { id } = await paid();
    bench.store.edit(id, { status: "pending" });
    const before = { moved: countMoneyRequests(), writes: bench.store.writes.length };
    expect(await differencesOf(id)).toMatchObject([{ kind: "paid_shop_unpaid" }]);
    expect({ moved: countMoneyRequests(), writes: bench.store.writes.length }).toEqual(before);
    bench.store.edit(id, { status: "processing" });
    expect(await differencesOf(id)).toEqual([]);
  });

  it("cannot be started again while it is running, and resumes after the last stored batch", async () => {
    const ids = (await paidOrders(6)).map(({ pos }) => pos);
    bench.tillgate.fault = (method, _path, response) =>
      method === "PUT" && received().length === 2 && failWith(503)(response);
    expect(await bench.connector.startComparison()).toBe(true);
    await bench.connector.idle();
    expect(await bench.connector.startComparison()).toBe(false);
    await bench.connector.idle();
    expect((await bench.connector.comparison()).last).toMatchObject({ under_way: true, compared: 3 });
    bench.tillgate.fault = null;
    await end();
    expect((await bench.connector.comparison()).last).toMatchObject({
      under_way: false,
      compared: 6,
      skipped: 0,
    });
    expect(received().flatMap((call) => call.orders)).toEqual(ids);
  });

  it("resends the same batch, with the same run totals, if the response was lost", async () => {
    const [order] = await paidOrders(4);
    bench.store.edit(order?.id ?? 0, { total: "60.00" });
    let lost = 0;
    bench.tillgate.afterComparison = (response) => {
      if (received().at(-1)?.orders.length !== 3 || lost === 2) return false;
      lost += 1;
      response.destroy();
      return true;
    };
    await bench.connector.startComparison();
    await bench.connector.idle();
    // The client itself retries the request once.
    expect((await bench.connector.comparison()).last).toMatchObject({ under_way: true, compared: 0 });
    await end();
    const batches = received().filter((call) => call.orders.length === 3);
    expect(batches).toHaveLength(3);
    expect(batches[1]).toEqual(batches[0]);
    expect(batches[2]).toEqual(batches[0]);
    const view = await bench.connector.comparison();
    expect(view).toMatchObject({ difference_count: 1, last: { under_way: false, compared: 4, skipped: 0 } });
  });

  it("skips nothing while Tillgate is unavailable: it keeps the differences, reports the error, and continues later", async () => {
    const { id } = await paid();
    bench.store.edit(id, { total: "60.00" });
    const [before] = await differencesOf(id);
    bench.tillgate.fault = (_method, _path, response) => failWith(503)(response);
    const writes = bench.store.writes.length;
    await bench.connector.startComparison();
    await bench.connector.idle();
    for (let tries = 0; tries < 5; tries += 1)
      await expect(bench.connector.runComparison()).rejects.toMatchObject({ status: 503 });
    const view = await bench.connector.comparison();
    expect(view.last).toMatchObject({ under_way: true, compared: 0, skipped: 0 });
    expect(view.differences).toEqual([before]);
    expect((await bench.connector.health()).last_error).toMatchObject({
      doing: "comparing orders with Tillgate",
      cause: "tillgate_failed",
    });
    expect(bench.store.writes).toHaveLength(writes);
    bench.tillgate.fault = null;
    bench.store.edit(id, { total: "41.50" });
    await end();
    expect(await bench.connector.comparison()).toMatchObject({
      last: { under_way: false, compared: 1, skipped: 0 },
      differences: [],
    });
  });

  it("sends the payments before an unreadable order, skips that order's payment after repeated failures, and keeps its differences", async () => {
    const [first, unreadable, last] = await paidOrders(3);
    const { id = 0, pos = "" } = unreadable ?? {};
    bench.store.edit(id, { total: "60.00" });
    const [before] = await differencesOf(id);
    bench.tillgate.comparisons.length = 0;
    bench.store.fault = ({ path }, response) => path === `orders/${id}` && failWith(500)(response);
    await bench.connector.startComparison();
    await bench.connector.idle();
    expect((await bench.connector.comparison()).last).toMatchObject({
      under_way: true,
      compared: 1,
      skipped: 0,
    });
    for (let tries = 0; tries < 2; tries += 1) await bench.connector.runComparison().catch(() => true);
    await end();
    expect(received().slice(1)).toEqual([
      { orders: [first?.pos], skipped: [], progress: [1, 0, false] },
      { orders: [last?.pos], skipped: [pos], progress: [2, 1, false] },
      { orders: [], skipped: [], progress: [2, 1, true] },
    ]);
    const view = await bench.connector.comparison();
    expect(view.last).toMatchObject({ under_way: false, compared: 2, skipped: 1 });
    expect(view.differences).toContainEqual(before);
    expect((await bench.connector.health()).last_error).toMatchObject({
      doing: "comparing an order with Tillgate",
      order: id,
    });
    bench.store.fault = null;
    bench.store.edit(id, { total: "41.50" });
    expect(await differencesOf(id)).toEqual([]);
  });

  it("does not compare an order while it is being changed", async () => {
    const other = await setUp({ claimWaitMs: 50 });
    try {
      other.store.add({ id: 1 });
      await other.start(1);
      const { claims } = other.records.of("demo");
      const token = (await claims.acquire("order:demo:1", 60_000)) ?? "";
      expect(await other.connector.startComparison()).toBe(true);
      await other.connector.idle();
      expect(other.tillgate.comparisons.flatMap((call) => call.orders)).toEqual([]);
      await claims.release("order:demo:1", token);
      await other.connector.runComparison();
      expect(other.tillgate.comparisons.flatMap((call) => call.orders)).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it("skips only the orders whose fields Tillgate rejects", async () => {
    const [first, rejected, last] = await paidOrders(3);
    bench.store.edit(rejected?.id ?? 0, { number: "9".repeat(65) });
    await compare();
    expect(received().slice(1, -1)).toEqual([
      { orders: [first?.pos, last?.pos], skipped: [rejected?.pos], progress: [2, 1, false] },
    ]);
    expect((await bench.connector.comparison()).last).toMatchObject({ compared: 2, skipped: 1 });
  });

  it("sends each payment with the key it was started with, and skips payments whose key is no longer configured", async () => {
    const [before, gone, current] = await paidOrders(3);
    await startedWith(before?.id ?? 0, retired.clientId);
    await startedWith(gone?.id ?? 0, "ci_gone");
    await compare();
    const start = { orders: [], skipped: [], progress: [0, 0, false] };
    const ending = { orders: [], skipped: [], progress: [2, 1, true] };
    expect(received(retired.clientId)).toEqual([
      start,
      { orders: [before?.pos], skipped: [], progress: [1, 0, false] },
      ending,
    ]);
    expect(received()).toEqual([
      start,
      { orders: [current?.pos], skipped: [gone?.pos], progress: [2, 1, false] },
      ending,
    ]);
    expect((await bench.connector.comparison()).last).toMatchObject({ compared: 2, skipped: 1 });
    expect((await bench.connector.health()).last_error).toMatchObject({ cause: "credential_gone" });
  });

  it("sends the totals of sandbox and live mode separately, because Tillgate treats each mode as a separate shop", async () => {
    const [first, ...others] = await paidOrders(4);
    await startedWith(first?.id ?? 0, live.clientId, live.mode);
    await compare();
    const call = (sent: (typeof first)[], ...progress: unknown[]) => ({
      orders: sent.map((one) => one?.pos),
      skipped: [],
      progress,
    });
    expect(received(live.clientId)).toEqual([
      call([], 0, 0, false),
      call([first], 1, 0, false),
      call([], 1, 0, true),
    ]);
    expect(received()).toEqual([
      call([], 0, 0, false),
      call(others.slice(0, 2), 2, 0, false),
      call(others.slice(2), 3, 0, false),
      call([], 3, 0, true),
    ]);
    expect((await bench.connector.comparison()).last).toMatchObject({ compared: 4, skipped: 0 });
  });

  it("skips payments whose retired key Tillgate rejects, but waits while Tillgate rejects the current key", async () => {
    const [before, current] = await paidOrders(2);
    await startedWith(before?.id ?? 0, retired.clientId);
    let rejectedClient: string = retired.clientId;
    bench.tillgate.fault = (_method, _path, response) =>
      bench.tillgate.requests.at(-1)?.startsWith(`${rejectedClient} `) === true && failWith(401)(response);
    await compare();
    expect(received().slice(1, -1)).toEqual([
      { orders: [], skipped: [before?.pos], progress: [0, 1, false] },
      { orders: [current?.pos], skipped: [], progress: [1, 1, false] },
    ]);
    expect((await bench.connector.comparison()).last).toMatchObject({ compared: 1, skipped: 1 });
    rejectedClient = inUse.clientId;
    await bench.connector.startComparison();
    await bench.connector.idle();
    await expect(bench.connector.runComparison()).rejects.toMatchObject({ status: 401 });
    expect((await bench.connector.comparison()).last).toMatchObject({ under_way: true, skipped: 0 });
  });

  it("compares a payment older than 90 days as long as it has a difference", async () => {
    const [{ id, pos } = { id: 0, pos: "" }] = await paidOrders(2);
    bench.store.edit(id, { total: "60.00" });
    const [before] = await differencesOf(id);
    await bench.database.query(
      "UPDATE payments SET created_at = created_at - 91 * 24 * 60 * 60 * 1000::bigint",
    );
    expect(await differencesOf(id)).toEqual([before]);
    bench.tillgate.comparisons.length = 0;
    bench.store.edit(id, { total: "41.50" });
    expect(await compare()).toEqual([]);
    expect(received().flatMap((call) => call.orders)).toEqual([pos]);
    expect((await bench.connector.comparison()).last).toMatchObject({ compared: 1 });
    await compare();
    expect((await bench.connector.comparison()).last).toMatchObject({ compared: 0 });
  });

  it.each(["repaired", "accepted"])(
    "compares a payment again, outside the batch, if one of its differences was %s while its batch was being compared",
    async (outcome) => {
      const [{ id, pos } = { id: 0, pos: "" }] = await paidOrders(2);
      bench.store.edit(id, { status: "pending" });
      const found = await differenceOf(id);
      bench.tillgate.comparisons.length = 0;
      let calls = 0;
      bench.tillgate.afterComparison = async () => {
        if (received().at(-1)?.progress?.[0] !== 2 || calls > 0) return false;
        calls += 1;
        const { connector } = bench;
        const name = nameOf(found);
        const work =
          outcome === "repaired" ? connector.repairDifference(name) : connector.acceptDifference(name);
        expect(await work).toBe(outcome);
        return false;
      };
      expect(await compare()).toEqual([]);
      expect(calls).toBe(1);
      const { accepted_count: accepted, last } = await bench.connector.comparison();
      expect({ accepted, ...last }).toMatchObject({ accepted: outcome === "accepted" ? 1 : 0, compared: 2 });
      const single = bench.tillgate.comparisons.filter(({ progress }) => progress?.completed !== true).at(-1);
      expect(single?.progress).toBeUndefined();
      expect(single?.orders).toMatchObject([{ order_id: pos }]);
      expect(single?.orders[0]?.accepted?.length ?? 0).toBe(accepted);
    },
  );

  it("runs once per night, starting with the second night", async () => {
    const other = await setUp();
    try {
      other.store.add({ id: 1 });
      await other.start(1);
      expect(await other.connector.runComparison()).toBe(false);
      expect((await other.connector.comparison()).last).toBeNull();
      await other.database.query("UPDATE comparisons SET started_at = started_at - 24 * 60 * 60 * 1000");
      await other.connector.runComparison();
      const { last } = await other.connector.comparison();
      expect(last).toMatchObject({ asked_by: "night", compared: 1, under_way: false });
      await other.connector.runComparison();
      expect((await other.connector.comparison()).last).toEqual(last);
    } finally {
      await other.close();
    }
  });

  it("reports its differences as a problem on the health page until a comparison finds none", async () => {
    const { id } = await paid();
    bench.store.edit(id, { total: "50.00" });
    await compare();
    const { problem_counts, status, comparison } = await bench.connector.health();
    expect({ count: problem_counts.books, status, found: comparison.difference_count }).toEqual({
      count: 1,
      status: "attention",
      found: 1,
    });
    bench.store.edit(id, { total: "41.50" });
    await compare();
    expect((await bench.connector.health()).problem_counts.books).toBeUndefined();
  });
});

describe("repairing a difference", () => {
  it("marks an order as paid again if it was set back to pending, without moving money or adding a second note", async () => {
    const { id } = await paid();
    const notes = [...bench.store.notesOf(id)];
    bench.store.edit(id, { status: "pending" });
    const found = await differenceOf(id);
    expect(found).toMatchObject({ kind: "paid_shop_unpaid", repair: "apply_order" });
    const before = countMoneyRequests();
    expect(await bench.connector.repairDifference(nameOf(found))).toBe("repaired");
    expect(bench.store.order(id).status).toBe("processing");
    expect(bench.store.notesOf(id)).toEqual(notes);
    expect(countMoneyRequests()).toBe(before);
    expect(await bench.connector.repairDifference(nameOf(found))).toBe("gone");
    expect(await differencesOf(id)).toEqual([]);
  });

  it("compares only the difference's payment, before and after the repair, outside a run", async () => {
    const [{ id, pos } = { id: 0, pos: "" }] = await paidOrders(2);
    bench.store.edit(id, { status: "pending" });
    const found = await differenceOf(id);
    const { length } = received();
    await bench.connector.repairDifference(nameOf(found));
    const single = { orders: [pos], skipped: [], progress: undefined };
    expect(received().slice(length)).toEqual([single, single]);
  });

  it("changes nothing if Tillgate is unavailable", async () => {
    const { id } = await paid();
    bench.store.edit(id, { status: "pending" });
    const found = await differenceOf(id);
    const writes = bench.store.writes.length;
    bench.tillgate.fault = (_method, _path, response) => failWith(503)(response);
    await expect(bench.connector.repairDifference(nameOf(found))).rejects.toMatchObject({ status: 503 });
    expect(bench.store.writes).toHaveLength(writes);
    expect((await bench.connector.comparison()).differences).toEqual([found]);
  });

  it("applies a payment that the shop missed", async () => {
    const { id, pos } = await startPayment();
    bench.tillgate.set(pos, "PAID");
    const found = await differenceOf(id);
    expect(found.kind).toBe("paid_shop_unpaid");
    expect(await bench.connector.repairDifference(nameOf(found))).toBe("repaired");
    expect(bench.store.order(id)).toMatchObject({
      status: "processing",
      transaction_id: bench.tillgate.order(pos).trx_id,
    });
  });

  it("applies an expiry that the shop missed", async () => {
    const { id, pos } = await startPayment();
    bench.tillgate.set(pos, "EXPIRED");
    const found = await differenceOf(id);
    expect(found.kind).toBe("end_not_learned");
    expect(await bench.connector.repairDifference(nameOf(found))).toBe("repaired");
    expect(bench.store.order(id).status).toBe("failed");
  });

  it("restores a transaction ID removed from the order", async () => {
    const { id, pos } = await paid();
    bench.store.edit(id, { transaction_id: "" });
    const found = await differenceOf(id);
    expect(found).toMatchObject({ kind: "transaction_missing", field: "transaction" });
    expect(await bench.connector.repairDifference(nameOf(found))).toBe("repaired");
    expect(bench.store.order(id).transaction_id).toBe(bench.tillgate.order(pos).trx_id);
  });

  it("cancels the open payment of a cancelled order", async () => {
    const { id, pos } = await startPayment();
    bench.store.edit(id, { status: "cancelled" });
    const found = await differenceOf(id);
    expect(found).toMatchObject({ kind: "open_not_wanted", repair: "cancel_open" });
    expect(await bench.connector.repairDifference(nameOf(found))).toBe("repaired");
    expect(bench.tillgate.order(pos).status).toBe("CANCELLED");
  });

  it("records a Tillgate refund that the shop missed, once and without moving money", async () => {
    const { id, pos } = await paid();
    bench.tillgate.refund(pos, 5);
    const found = await differenceOf(id);
    expect(found).toMatchObject({ kind: "refund_missing_in_shop", repair: "record_refund" });
    const before = countMoneyRequests();
    const outcomes = await Promise.all([
      bench.connector.repairDifference(nameOf(found)),
      bench.connector.repairDifference(nameOf(found)),
    ]);
    expect(outcomes).toContain("repaired");
    expect(bench.store.refundsOf(id)).toMatchObject([{ amount: "5.00" }]);
    expect(countMoneyRequests()).toBe(before);
    await bench.makeDue();
    await bench.connector.sweep();
    expect(bench.store.refundsOf(id)).toHaveLength(1);
  });

  it.each(["at Tillgate", "in the shop"])(
    "recreates the deleted record of a refund made %s, without moving money",
    async (where) => {
      const { id, pos } = await paid();
      if (where === "in the shop") {
        bench.store.refundByHand(id, "5.00");
        await bench.scheduleCheck(id);
        await bench.connector.sweep();
      } else for (const delivery of bench.tillgate.refund(pos, 5)) await bench.deliver(delivery);
      expect(bench.tillgate.order(pos).refunded_amount).toBe(5);
      expect(await differencesOf(id)).toEqual([]);
      bench.store.refundsOf(id).splice(0);
      bench.store.edit(id, {});
      await bench.scheduleCheck(id);
      await bench.connector.sweep();
      const found = await differenceOf(id);
      expect(found).toMatchObject({ kind: "refund_missing_in_shop", repair: "record_refund" });
      const before = countMoneyRequests();
      expect(await bench.connector.repairDifference(nameOf(found))).toBe("repaired");
      await bench.makeDue();
      await bench.scheduleCheck(id);
      await bench.connector.sweep();
      expect(bench.store.refundsOf(id)).toMatchObject([{ amount: "5.00" }]);
      expect(countMoneyRequests()).toBe(before);
      expect(bench.tillgate.order(pos).refunded_amount).toBe(5);
      expect(await differencesOf(id)).toEqual([]);
    },
  );
});

it("a difference without an automatic repair is listed with advice, and repairing it changes nothing", async () => {
  const { id } = await paid();
  bench.store.edit(id, { total: "60.00" });
  const found = await differenceOf(id);
  expect(found).toMatchObject({ kind: "amount_differs", repair: null, repair_label: null });
  expect(found.advice).toContain("Refund the excess");
  const before = { moved: countMoneyRequests(), writes: bench.store.writes.length };
  expect(await bench.connector.repairDifference(nameOf(found))).toBe("left");
  expect({ moved: countMoneyRequests(), writes: bench.store.writes.length }).toEqual(before);
});

describe("accepting a difference", () => {
  const problems = async () =>
    (await bench.connector.health()).problems
      .map(({ kind }) => kind)
      .filter((kind) => kind === "books" || kind === "mismatch")
      .sort();

  it("removes that difference from the list, without moving money or hiding other differences", async () => {
    const { id, pos } = await paid();
    for (const delivery of bench.tillgate.refund(pos, 5)) await bench.deliver(delivery);
    bench.store.refundsOf(id).splice(0);
    bench.store.edit(id, {});
    await bench.scheduleCheck(id);
    await bench.connector.sweep();
    const found = await differenceOf(id);
    expect(await problems()).toEqual(["books", "mismatch"]);
    const before = { moved: countMoneyRequests(), writes: bench.store.writes.length };
    expect(await bench.connector.acceptDifference(nameOf(found))).toBe("accepted");
    expect(await bench.connector.acceptDifference(nameOf(found))).toBe("accepted");
    expect(await bench.connector.comparison()).toMatchObject({
      difference_count: 0,
      accepted_count: 1,
      differences: [],
    });
    expect(await differencesOf(id)).toEqual([]);
    await bench.makeDue();
    await bench.scheduleCheck(id);
    await bench.connector.sweep();
    expect(await problems()).toEqual([]);
    expect({ moved: countMoneyRequests(), writes: bench.store.writes.length }).toEqual(before);
    bench.store.edit(id, { status: "pending" });
    expect(await differencesOf(id)).toMatchObject([{ field: "state" }]);
    expect((await bench.connector.comparison()).accepted_count).toBe(1);
  });

  it("is reported to Tillgate immediately, and in later runs while the difference stays the same", async () => {
    const { id, pos } = await paid();
    bench.store.edit(id, { total: "60.00" });
    const found = await differenceOf(id);
    const sent = () =>
      bench.tillgate.comparisons.flatMap(({ orders: of }) => of).map(({ accepted }) => accepted);
    bench.tillgate.comparisons.length = 0;
    await bench.connector.acceptDifference(nameOf(found));
    const accepted = [
      { subject: "order", subject_id: pos, field: "amount", kind: "amount_differs", text: found.text },
    ];
    expect(sent()).toEqual([accepted]);
    await compare();
    expect(sent()).toEqual([accepted, accepted]);
    bench.store.edit(id, { total: "61.00" });
    await compare();
    await compare();
    expect(sent().slice(2)).toEqual([accepted, undefined]);
  });

  it("succeeds while Tillgate is unavailable, and is reported to Tillgate by the next run", async () => {
    const { id } = await paid();
    bench.store.edit(id, { total: "60.00" });
    const found = await differenceOf(id);
    bench.tillgate.fault = (_method, _path, response) => failWith(503)(response);
    expect(await bench.connector.acceptDifference(nameOf(found))).toBe("accepted");
    expect(await bench.connector.comparison()).toMatchObject({ difference_count: 0, accepted_count: 1 });
    bench.tillgate.fault = null;
    bench.tillgate.comparisons.length = 0;
    expect(await compare()).toEqual([]);
    expect(bench.tillgate.comparisons.flatMap((one) => one.orders)).toMatchObject([{ accepted: [{}] }]);
  });

  it("is permanently undone if the difference's amount changes", async () => {
    const { id } = await paid();
    bench.store.edit(id, { total: "60.00" });
    const found = await differenceOf(id);
    await bench.connector.acceptDifference(nameOf(found));
    expect(await differencesOf(id)).toEqual([]);
    bench.store.edit(id, { total: "61.00" });
    expect(await differencesOf(id)).toMatchObject([{ kind: "amount_differs" }]);
    bench.store.edit(id, { total: "41.50" });
    expect(await differencesOf(id)).toEqual([]);
    bench.store.edit(id, { total: "60.00" });
    expect(await differencesOf(id), "A difference that returns must be accepted again.").toHaveLength(1);
  });

  it('returns "gone" for an unknown difference', async () => {
    const { id } = await paid();
    bench.store.edit(id, { total: "60.00" });
    const found = nameOf(await differenceOf(id));
    for (const other of [
      { ...found, paymentId: 999_999 },
      { ...found, subjectId: "POS-other" },
      { ...found, field: "state" } as const,
    ])
      expect(await bench.connector.acceptDifference(other)).toBe("gone");
    expect((await bench.connector.comparison()).difference_count).toBe(1);
  });
});

describe("the health page", () => {
  const basic = { authorization: `Basic ${Buffer.from(`anybody:${HEALTH_KEY}`).toString("base64")}` };
  const bearer = { authorization: `Bearer ${HEALTH_KEY}` };
  const page = async () => (await fetch(`${bench.url}/health/demo`, { headers: basic })).text();
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${bench.url}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { ...basic, "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams(fields),
    });
  const tokenIn = (html: string) => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const run = async () => {
    await bench.connector.idle();
    const { rows } = await bench.database.query("SELECT run FROM comparisons WHERE store_id = 'demo'");
    return Number(rows[0].run);
  };

  it("starts a comparison, shows a difference and repairs it with a button", async () => {
    const { id } = await paid();
    bench.store.edit(id, { status: "pending" });
    const before = await run();
    const compared = await post("/health/demo/comparison", { token: tokenIn(await page()) });
    expect(compared.status).toBe(303);
    expect(compared.headers.get("location")).toBe("../demo?message=comparing");
    expect(await run()).toBe(before + 1);
    const html = await page();
    expect(html).toContain(`post=${id}&amp;action=edit">${id}</a>.`);
    expect(html).toContain("was paid in Tillgate");
    const [, form = ""] = /action="demo\/repairs">(.*?)<\/form>/.exec(html) ?? [];
    expect(form).toContain("<button>Update from Tillgate</button>");
    const fields = Object.fromEntries(
      [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const repaired = await post("/health/demo/repairs", fields);
    expect(repaired.headers.get("location")).toBe("../demo?message=repaired");
    expect(bench.store.order(id).status).toBe("processing");
  });

  it("marks a difference as correct with a button", async () => {
    const { id } = await paid();
    bench.store.edit(id, { total: "60.00" });
    await compare();
    const html = await page();
    const [, form = ""] = /action="demo\/acceptances">(.*?)<\/form>/.exec(html) ?? [];
    expect(form).toContain("<button>Mark as correct</button>");
    const fields = Object.fromEntries(
      [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const forged = await post("/health/demo/acceptances", { ...fields, token: "x" });
    expect(forged.headers.get("location")).toBe("../demo?message=form_refused");
    expect((await bench.connector.comparison()).difference_count).toBe(1);
    const noted = await post("/health/demo/acceptances", fields);
    expect(noted.headers.get("location")).toBe("../demo?message=accepted");
    expect(await page()).toContain("Marked as correct and not listed: 1.");
  });

  it("rejects cross-site forms, and forms with a missing or wrong token", async () => {
    const before = await run();
    const token = tokenIn(await page());
    for (const [fields, headers] of [
      [{}, {}],
      [{ token: `${token}x` }, {}],
      [{ token }, { origin: "https://evil.example" }],
      [{ token }, { origin: "null" }],
      [{ token }, { "sec-fetch-site": "cross-site" }],
    ] as [Record<string, string>, Record<string, string>][]) {
      const response = await post("/health/demo/comparison", fields, headers);
      expect(response.headers.get("location")).toBe("../demo?message=form_refused");
    }
    expect(await run()).toBe(before);
    expect(
      (await post("/health/demo/comparison", { token }, { authorization: "Basic bm9ib2R5" })).status,
    ).toBe(401);
    expect((await fetch(`${bench.url}/health/demo/comparison`, { headers: basic })).status).toBe(405);
  });

  it('has a JSON API that requires the bearer token, returns "gone" for an unknown difference and rejects invalid fields', async () => {
    const json = { ...bearer, "content-type": "application/json" };
    const send = (what: string, body: object, headers: Record<string, string> = json) =>
      bench.call(`/v1/stores/demo/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
    const name = { payment_id: 1, subject: "order", subject_id: "POS-1", field: "state" };
    for (const what of ["repairs", "acceptances"]) {
      expect((await send(what, name, { ...json, ...basic })).status).toBe(401);
      expect((await send(what, { ...name, payment_id: 999_999 })).body).toEqual({ outcome: "gone" });
      for (const wrong of [
        {},
        { ...name, payment_id: 0 },
        { ...name, subject: "shop" },
        { ...name, field: "" },
      ])
        expect((await send(what, wrong)).status).toBe(400);
      expect((await send(what, { ...name, subject_id: "x".repeat(64) })).status).toBe(200);
      expect((await send(what, { ...name, subject_id: "x".repeat(65) })).status).toBe(400);
    }
    const started = await bench.call("/v1/stores/demo/comparison", { method: "POST", headers: bearer });
    expect(started).toMatchObject({ status: 202, body: { begun: true, store: "demo" } });
    await end();
    expect((await bench.call("/v1/stores/demo/comparison", { headers: bearer })).body).toMatchObject({
      last: { under_way: false },
    });
    expect((await bench.call("/v1/stores/demo/comparison", { method: "POST", headers: basic })).status).toBe(
      401,
    );
  });
});

describe("tillgate-compare", () => {
  /** Runs the command as a user does. */
  async function command(words: string[], changes: Record<string, string> = {}) {
    let [printed, report] = ["", ""];
    const code = await compareByCommand(words, {
      environment: { CONNECTOR_URL: bench.url, CONNECTOR_HEALTH_KEY: HEALTH_KEY, ...changes },
      print: (text) => {
        printed += text;
      },
      report: (text) => {
        report += text;
      },
      pollMs: POLL_MS,
    });
    return { code, printed, report };
  }

  it("prints differences and advice, repairs with --repair, and exits with status 1 if differences remain", async () => {
    const { id } = await paid();
    const other = await paid();
    expect(await command(["demo"])).toEqual({
      code: 0,
      printed: "No differences found: 2 compared.\n",
      report: "",
    });
    bench.store.edit(id, { status: "pending" });
    bench.store.edit(other.id, { total: "60.00" });
    const result = await command(["demo"]);
    expect(result).toMatchObject({ code: 1, report: "" });
    expect(result.printed).toContain(`✗ Order ${id}: 41.50 EUR was paid in Tillgate`);
    expect(result.printed).toContain("→ Update from Tillgate: use --repair");
    expect(result.printed).toContain("→ Refund the excess");
    expect(result.printed).toMatch(/2 differences: 2 compared\.\n$/);
    expect(bench.store.order(id).status).toBe("pending");
    const repaired = await command(["demo", "--repair"]);
    expect(repaired.printed).toContain(`Order ${id}: Update from Tillgate: repaired`);
    expect(repaired).toMatchObject({
      code: 1,
      printed: expect.stringMatching(/1 difference: 2 compared\.\n$/),
    });
    expect(bench.store.order(id).status).toBe("processing");
    bench.store.edit(other.id, { total: "41.50" });
  });

  it("exits with status 1 if a payment couldn't be compared, even if no differences were found", async () => {
    const { id } = await paid();
    bench.store.fault = ({ path }, response) => path === `orders/${id}` && failWith(500)(response);
    let isFinished = false;
    const result = command(["demo"]).finally(() => {
      isFinished = true;
    });
    while (!isFinished) {
      await bench.connector.runComparison().catch(() => true);
      await delay(POLL_MS);
    }
    expect(await result).toEqual({
      code: 1,
      printed: "No differences found: 0 compared, 1 couldn't be compared.\n",
      report: "",
    });
  });

  it("exits with status 2 on invalid usage or a failed request, and prints no key", async () => {
    const wrongKey = "wrong_7f0e1d2c3b4a5968778695a4b3c2d1e0";
    for (const [words, changes, message] of [
      [[], {}, "missing required argument"],
      [["demo", "--fix"], {}, "unknown option"],
      [["nobody"], {}, "Store not found"],
      [["demo"], { CONNECTOR_HEALTH_KEY: wrongKey }, "HTTP 401"],
      [["demo"], { CONNECTOR_HEALTH_KEY: "short" }, "CONNECTOR_HEALTH_KEY"],
      [["demo"], { CONNECTOR_URL: "" }, "CONNECTOR_URL"],
      [["demo"], { CONNECTOR_URL: "http://127.0.0.1:9" }, "cannot be reached"],
    ] as [string[], Record<string, string>, string][]) {
      const { code, report, printed } = await command(words, changes);
      expect({ code, printed }).toEqual({ code: 2, printed: "" });
      expect(report).toContain(message);
      for (const key of [HEALTH_KEY, wrongKey]) expect(report).not.toContain(key);
    }
    expect(await command(["--help"])).toMatchObject({ code: 0, report: "" });
  });
});
