import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { chmod, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import SqliteFile from "libsql";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, databaseUrl, dropDatabase } from "../../../../scripts/testing/databases.js";
import { openRecords } from "../../src/records/open-records.js";
import type {
  DueSubject,
  FoundDifference,
  NewOutgoingRefund,
  NewPayment,
  OpenRecords,
} from "../../src/records/records.js";
import { newPayment } from "./fakes/new-payment.js";

const name = await createDatabase("connector");
const folder = mkdtempSync(path.join(tmpdir(), "connector-records-"));
const onConnectionError = () => undefined;

const urls = {
  PostgreSQL: () => databaseUrl(name).href,
  "a SQLite file": () => `file:${path.join(folder, "connector.db")}`,
};

afterAll(async () => {
  await dropDatabase(name);
  rmSync(folder, { recursive: true });
});

const tillgateOrder = (id: string) => ({
  tillgateOrderId: id,
  paymentUrl: `http://pay.test/${id}`,
  qrData: null,
  expiresAt: new Date("2026-11-21T12:00:00Z"),
});
const shopRefund = (recordId: number, changes: Partial<NewOutgoingRefund> = {}): NewOutgoingRefund => ({
  recordId,
  storeOrderId: 1,
  tillgateOrderId: "POS-1",
  trxId: "TRX-1",
  idempotencyKey: `key-${recordId}`,
  reference: `1 key-${recordId}`,
  reason: "Broken",
  amountMinor: 1000n,
  currency: "EUR",
  ...changes,
});

describe.each(Object.entries(urls))("records in %s", (_kind, url) => {
  /** Opens one database twice, like two processes. */
  let records: OpenRecords;
  let others: OpenRecords;
  let stores = 0;
  const newStore = () => {
    stores += 1;
    return `store-${stores}`;
  };
  beforeAll(async () => {
    // Concurrently: one migrates, and the other waits.
    [records, others] = await Promise.all([
      openRecords({ url: url(), onConnectionError }),
      openRecords({ url: url(), onConnectionError }),
    ]);
  });
  afterAll(() => Promise.all([records.close(), others.close()]));

  it("are ready once opened", async () => {
    await expect(records.ready()).resolves.toBeUndefined();
  });

  describe("claims", () => {
    it("have one owner under concurrent requests", async () => {
      const claim = `order:${randomUUID()}`;
      const tokens = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? records : others).of("any").claims.acquire(claim, 10_000),
        ),
      );
      expect(tokens.filter((token) => token !== null)).toHaveLength(1);
    });

    it("can be taken over after they expire, and then cannot be extended or released by the previous owner", async () => {
      const claim = `order:${randomUUID()}`;
      const first = (await records.of("any").claims.acquire(claim, 1)) ?? "";
      await expect.poll(() => others.of("any").claims.acquire(claim, 10_000)).not.toBeNull();
      expect(await records.of("any").claims.extend(claim, first, 10_000)).toBe(false);
      await records.of("any").claims.release(claim, first);
      expect(await records.of("any").claims.acquire(claim, 10_000)).toBeNull();
    });

    it("don't expire while they are extended, and are free when released", async () => {
      const claim = `order:${randomUUID()}`;
      const token = (await records.of("any").claims.acquire(claim, 1)) ?? "";
      expect(await records.of("any").claims.extend(claim, token, 10_000)).toBe(true);
      expect(await others.of("any").claims.acquire(claim, 10_000)).toBeNull();
      await records.of("any").claims.release(claim, token);
      expect(await others.of("any").claims.acquire(claim, 10_000)).not.toBeNull();
    });
  });

  describe("payments", () => {
    it("are returned as stored, and the newest payment of an order is current", async () => {
      const store = newStore();
      const older = await records.of(store).payments.start(newPayment(1));
      const request = newPayment(1, { amountMinor: 9_000_000_000_000n });
      const newer = await records.of(store).payments.start(request);
      expect(newer).toMatchObject({ state: "creating", order: null, isCurrent: true, ...strip(request) });
      expect(await others.of(store).payments.current(1)).toEqual(newer);
      expect((await others.of(store).payments.byId(older.id))?.isCurrent).toBe(false);
      const created = await records.of(store).payments.markPlaced(newer.id, tillgateOrder("POS-1"));
      expect(created).toMatchObject({ state: "pending", order: tillgateOrder("POS-1") });
      await expect(records.of(store).payments.markPlaced(newer.id, tillgateOrder("POS-2"))).rejects.toThrow(
        /not in the state `creating`/,
      );
      expect(await others.of(store).payments.byTillgateOrder("POS-1")).toEqual(created);
      expect(await others.of(newStore()).payments.byTillgateOrder("POS-1")).toBeNull();
      expect(await others.of(store).payments.knownOrders([1, 2])).toEqual([1]);
    });

    it("include one current payment per order, even if payments are started concurrently over two connections", async () => {
      const store = newStore();
      const outcomes = await Promise.allSettled(
        [records, others, records, others].map((one) => one.of(store).payments.start(newPayment(7))),
      );
      const started = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      expect(started.length).toBeGreaterThan(0);
      const now = await Promise.all(started.map(({ id }) => records.of(store).payments.byId(id)));
      expect(now.filter((payment) => payment?.isCurrent)).toHaveLength(1);
    });

    it("can be restored: the last started payment is current, and open payments are due immediately", async () => {
      const store = newStore();
      const { due, payments } = records.of(store);
      const take = (id: string, hour: number, state: "pending" | "paid") => {
        const { checkInMs: _, ...fields } = newPayment(1);
        const beganAt = new Date(Date.UTC(2026, 10, 21, hour));
        return payments.recover({
          ...fields,
          order: tillgateOrder(id),
          trxId: null,
          startedAt: beganAt,
          state,
        });
      };
      const [second, first] = [await take("POS-2", 11, "pending"), await take("POS-1", 10, "pending")];
      expect([second.isCurrent, first.isCurrent]).toEqual([true, false]);
      expect(await take("POS-3", 12, "paid")).toMatchObject({ state: "paid", isCurrent: true });
      expect(await others.of(store).payments.current(1)).toMatchObject({ order: tillgateOrder("POS-3") });
      const subjects = (await due.lease("payment", 10, 60_000)).map(({ subject }) => Number(subject));
      expect(subjects.toSorted((one, other) => one - other)).toEqual([second.id, first.id]);
      await expect(take("POS-3", 13, "paid")).rejects.toThrow();
      expect(await payments.current(1)).toMatchObject({ order: tillgateOrder("POS-3") });
    });

    it("are found by their transaction ID once completed", async () => {
      const store = newStore();
      const { id } = await records.of(store).payments.start(newPayment(1));
      await records.of(store).payments.markPlaced(id, tillgateOrder("POS-1"));
      await records.of(store).payments.markCancelling(id, "it was edited");
      await records.of(store).payments.complete(id, "paid", "TRX-1");
      await records.of(store).payments.complete(id, "refunded", null);
      expect(await others.of(store).payments.byTransactions(["TRX-1", "TRX-2"])).toMatchObject([
        { id, state: "refunded", trxId: "TRX-1", cancelReason: "it was edited" },
      ]);
    });

    it("are due for checks until they are completed or rejected, and are counted while open", async () => {
      const store = newStore();
      const ids: number[] = [];
      for (let order = 1; order <= 3; order += 1)
        ids.push((await records.of(store).payments.start(newPayment(order, { checkInMs: -1 }))).id);
      await records.of(store).payments.start(newPayment(4));
      const [paid = 0, refused = 0, left = 0] = ids;
      await records.of(store).payments.markPlaced(paid, tillgateOrder("POS-1"));
      expect(await others.of(store).payments.count()).toEqual({ underWay: 4, givenUp: 0 });
      expect(await others.of(store).due.count("payment")).toBe(3);
      await records.of(store).payments.complete(paid, "paid", "TRX-1");
      await records.of(store).payments.markRejected(refused);
      await records.of(store).payments.markAbandoned(left);
      expect(await others.of(store).payments.count()).toEqual({ underWay: 2, givenUp: 1 });
      expect(await others.of(store).due.lease("payment", 10, 60_000)).toEqual([
        { subject: String(left), storeOrderId: 3, lease: 1, failures: 0 },
      ]);
    });

    it("stay rejected once Tillgate has rejected them", async () => {
      const store = newStore();
      const { id } = await records.of(store).payments.start(newPayment(1));
      await records.of(store).payments.markRejected(id);
      expect(await records.of(store).payments.byId(id)).toMatchObject({ state: "refused", order: null });
      await expect(records.of(store).payments.markPlaced(id, tillgateOrder("POS-1"))).rejects.toThrow();
    });
  });

  it("store events once, mark them as processed, and remove old ones", async () => {
    const store = newStore();
    const event = { eventId: "evt_1", event: "pos.order.paid", tillgateOrderId: "POS-1", body: "{}" };
    await records.of(store).events.save(event);
    await others.of(store).events.save(event);
    await records.of(store).events.save({ ...event, eventId: "evt_2" });
    expect(await records.of(store).events.isProcessed("evt_1")).toBe(false);
    await records.of(store).events.complete("evt_1", "complete_payment");
    expect(await others.of(store).events.isProcessed("evt_1")).toBe(true);
    expect(await records.of(store).events.prune(60_000)).toBe(0);
    expect(await records.of(store).events.prune(-1)).toBe(1);
    expect(await others.of(store).events.isProcessed("evt_1")).toBe(false);
  });

  it("track refunds until they end, and record them once", async () => {
    const store = newStore();
    const refund = { refundId: "RF-1", storeOrderId: 1, amountMinor: 100n, currency: "EUR" };
    expect(await records.of(store).followedRefunds.ofOrder(1)).toEqual([]);
    for (const refundId of ["RF-1", "RF-2", "RF-3", "RF-4"]) {
      expect(await records.of(store).followedRefunds.save({ ...refund, refundId })).toEqual({
        recordId: null,
        isRecorded: false,
      });
      await records.of(store).due.schedule("refund", [{ subject: refundId, storeOrderId: 1 }], -1);
    }
    const unrecorded = { recordId: null, isRecorded: false };
    expect(await others.of(store).followedRefunds.ofOrder(1)).toContainEqual({
      refundId: "RF-1",
      ...unrecorded,
    });
    await records.of(store).followedRefunds.markRecorded("RF-1", 77);
    await others.of(store).followedRefunds.markRecorded("RF-1", 78);
    expect(await others.of(store).followedRefunds.save(refund)).toEqual({ recordId: 77, isRecorded: true });
    expect(await others.of(store).followedRefunds.ofOrder(1)).toContainEqual({
      refundId: "RF-1",
      recordId: 77,
      isRecorded: true,
    });
    await records.of(store).followedRefunds.markFailed("RF-1");
    await records.of(store).followedRefunds.markFailed("RF-2");
    await records.of(store).followedRefunds.markRecorded("RF-3", null);
    const due = await others.of(store).due.lease("refund", 10, 60_000);
    expect(due.map(({ subject }) => subject)).toEqual(["RF-4"]);
    expect(
      await records.of(store).followedRefunds.outcomes(["RF-1", "RF-2", "RF-3", "RF-4", "RF-5"]),
    ).toEqual(
      new Map([
        ["RF-1", "recorded"],
        ["RF-2", "failed"],
        ["RF-3", "recorded"],
        ["RF-4", "open"],
      ]),
    );
    expect(await records.of(store).followedRefunds.outcomes([])).toEqual(new Map());
  });

  describe("outgoing refunds", () => {
    it("are found by reference until their ID is known, then by ID", async () => {
      const store = newStore();
      const started = await records.of(store).outgoingRefunds.create(shopRefund(5));
      expect(started).toEqual({
        ...shopRefund(5),
        state: "calling",
        refundId: null,
        isDeleted: false,
        ageMs: expect.any(Number),
      });
      const { reference } = started;
      expect(await others.of(store).outgoingRefunds.find(1, { refundId: "RF-1", reference })).toEqual({
        ...started,
        ageMs: expect.any(Number),
      });
      expect(await others.of(store).outgoingRefunds.find(2, { refundId: "RF-1", reference })).toBeNull();
      await records.of(store).outgoingRefunds.setState(5, "pending", "RF-1");
      await records.of(store).outgoingRefunds.setState(5, "completed", null);
      await records.of(store).outgoingRefunds.setState(5, "failed", "RF-1");
      await records.of(store).outgoingRefunds.markDeleted(5);
      const found = await others.of(store).outgoingRefunds.find(1, { refundId: "RF-1", reference: null });
      expect(found).toMatchObject({ state: "completed", refundId: "RF-1", isDeleted: true });
      expect(await others.of(store).outgoingRefunds.find(1, { refundId: "RF-2", reference })).toBeNull();
      expect(await others.of(store).outgoingRefunds.ofOrder(1)).toEqual([
        { ...found, ageMs: expect.any(Number) },
      ]);
    });

    it("are reassigned to another record if their record is deleted while the outcome is unknown", async () => {
      const store = newStore();
      await records.of(store).outgoingRefunds.create(shopRefund(5));
      await expect(records.of(store).outgoingRefunds.reassign(5, 6)).rejects.toThrow();
      await records.of(store).outgoingRefunds.setState(5, "given_up", null);
      await records.of(store).outgoingRefunds.markDeleted(5);
      expect(await others.of(store).outgoingRefunds.reassign(5, 6)).toMatchObject({
        recordId: 6,
        idempotencyKey: "key-5",
        state: "calling",
        isDeleted: false,
      });
      expect(await records.of(store).outgoingRefunds.ofOrder(1)).toHaveLength(1);
    });

    it("reuse an idempotency key only if Tillgate rejected the first refund, or if the new refund is never sent", async () => {
      const store = newStore();
      await records.of(store).outgoingRefunds.create(shopRefund(5));
      const again = shopRefund(6, { idempotencyKey: "key-5" });
      await expect(others.of(store).outgoingRefunds.create(again)).rejects.toThrow();
      await records.of(store).outgoingRefunds.setState(5, "refused", null);
      await others.of(store).outgoingRefunds.create(again);
      await others.of(store).outgoingRefunds.setState(6, "completed", "RF-1");
      const same = { idempotencyKey: "key-5" };
      await records.of(store).outgoingRefunds.createUnsent(shopRefund(7, same), {
        state: "repeated",
        refundId: "RF-1",
      });
      await records
        .of(store)
        .outgoingRefunds.createUnsent(shopRefund(8, same), { state: "ignored", refundId: null });
      const all = await records.of(store).outgoingRefunds.ofOrder(1);
      expect(all.map(({ state }) => state)).toEqual(["refused", "completed", "repeated", "ignored"]);
    });
  });

  it("store scheduled checks once per subject, lease them once, and keep them after completion if scheduled again while leased", async () => {
    const store = newStore();
    const orders = (...ids: number[]) => ids.map((id) => ({ subject: String(id), storeOrderId: id }));
    const take = (from: OpenRecords, limit: number) => from.of(store).due.lease("order", limit, 60_000);
    const byOrder = (one: DueSubject, other: DueSubject) => one.storeOrderId - other.storeOrderId;
    await Promise.all([
      records.of(store).due.schedule("order", orders(1, 2, 3, 3), -1),
      others.of(store).due.schedule("order", orders(3, 2, 1), -1),
      records.of(store).due.schedule("order", orders(4), 60_000),
      records.of(store).due.schedule("refund", orders(1), -1),
    ]);
    await records.of(store).due.schedule("order", [], 0);
    expect(await records.of(store).due.count("order")).toBe(3);
    const taken = (await Promise.all([take(records, 2), take(others, 2)])).flat();
    taken.push(...(await take(records, 5)));
    const [first, second, third, fourth] = taken.toSorted(byOrder);
    if (first === undefined || second === undefined || third === undefined) throw new Error("not three");
    expect([first, second, third].map(({ storeOrderId }) => storeOrderId)).toEqual([1, 2, 3]);
    expect(fourth).toBeUndefined();
    await records.of(store).due.schedule("order", orders(1), -1);
    await records.of(store).due.schedule("order", orders(2), 60_000);
    for (const item of [first, second]) await others.of(store).due.complete("order", item);
    await others.of(store).due.reschedule("order", third, -1, 1);
    const again = await take(records, 5);
    expect(again.toSorted(byOrder)).toMatchObject([
      { storeOrderId: 1, failures: 0 },
      { storeOrderId: 3, failures: 1 },
    ]);
    // The holder of an older lease cannot complete the item.
    await records.of(store).due.complete("order", first);
    await records.of(store).due.reschedule("order", third, -1, 2);
    expect(await take(records, 5)).toEqual([]);
    for (const item of again) await records.of(store).due.complete("order", item);
    await records.of(store).due.schedule("order", orders(1, 2, 3, 4), -1);
    expect(await records.of(store).due.count("order")).toBe(4);
    // An expired lease can be taken over.
    expect(await records.of(store).due.lease("order", 1, -1)).toHaveLength(1);
    expect(await take(others, 5)).toHaveLength(4);
  });

  it("store cursors by name", async () => {
    const store = newStore();
    expect(await records.of(store).cursors.read("changes")).toBeNull();
    await records.of(store).cursors.write("changes", "one");
    await others.of(store).cursors.write("changes", "two");
    await others.of(store).cursors.write("refunds", "three");
    expect(await records.of(store).cursors.read("changes")).toBe("two");
    expect(await records.of(store).cursors.read("refunds")).toBe("three");
  });

  it("store the latest health report per name, and one entry per problem until it is resolved", async () => {
    const store = newStore();
    await records.of(store).health.report("last_sweep", "1");
    await others.of(store).health.report("last_sweep", "2");
    const [report] = await records.of(store).health.reports();
    expect(report).toMatchObject({ name: "last_sweep", value: "2" });
    expect(Math.abs(Date.now() - Number(report?.reportedAt))).toBeLessThan(60_000);
    const problem = { kind: "mismatch", subject: "POS-1", storeOrderId: 1, text: "It differs." };
    await records.of(store).health.raise(problem);
    await others.of(store).health.raise({ ...problem, text: "It still differs." });
    await records.of(store).health.raise({ ...problem, subject: "POS-2", storeOrderId: null });
    expect(await records.of(store).health.countProblems()).toEqual(new Map([["mismatch", 2]]));
    expect(await records.of(store).health.problems(10)).toContainEqual(
      expect.objectContaining({ subject: "POS-1", storeOrderId: 1, times: 2, text: "It still differs." }),
    );
    expect(await records.of(store).health.problems(1)).toHaveLength(1);
    await others.of(store).health.resolve("mismatch", "POS-1");
    await records.of(store).health.prune(60_000);
    expect(await records.of(store).health.problems(10)).toHaveLength(1);
    await records.of(store).health.prune(-1);
    expect(await records.of(store).health.problems(10)).toEqual([]);
  });

  describe("comparisons", () => {
    const difference = (
      field: FoundDifference["field"],
      changes: Partial<FoundDifference> = {},
    ): FoundDifference => ({
      subject: "order",
      subjectId: "POS-1",
      field,
      kind: "amount_differs",
      repair: null,
      text: "It differs.",
      advice: "Look at it.",
      ...changes,
    });
    /** Moves the start of a store's last run back by a day. */
    const advanceOneDay = async (store: string) => {
      const sql = `UPDATE comparisons SET started_at = started_at - 86400000 WHERE store_id = '${store}'`;
      if (url().startsWith("file:")) {
        const file = new SqliteFile(url().slice("file:".length));
        file.exec(sql);
        file.close();
        return;
      }
      const client = new pg.Client({ connectionString: url() });
      await client.connect();
      await client.query(sql);
      await client.end();
    };

    it("run one at a time, count each payment once, and continue over another connection", async () => {
      const store = newStore();
      const [one, other] = [records.of(store).comparisons, others.of(store).comparisons];
      expect(await one.last()).toBeNull();
      const started = await Promise.all([one, other, one, other].map((comparisons) => comparisons.start()));
      expect(started.filter(Boolean)).toHaveLength(1);
      expect(await one.startNightly()).toBe(false);
      const { run } = (await other.last()) ?? { run: 0 };
      await one.countFailure(run);
      await other.countFailure(run);
      expect((await one.last())?.failures).toBe(2);
      const live = { compared: 1, skipped: 0 };
      const totals = { compared: 1, skipped: 0, live };
      expect(await one.advance(run, 7, totals)).toBe(true);
      expect(await other.advance(run, 7, { compared: 2, skipped: 0, live })).toBe(false);
      expect(await other.advance(run, 9, { compared: 1, skipped: 1, live })).toBe(true);
      expect(await other.advance(run - 1, 10, totals)).toBe(false);
      expect(await one.last()).toMatchObject({
        ...{ run, askedBy: "person", endedAt: null },
        ...{ afterId: 9, failures: 0, compared: 1, skipped: 1, live },
      });
      await one.finish(run);
      expect(await other.advance(run, 11, totals)).toBe(false);
      expect((await other.last())?.endedAt).toBeInstanceOf(Date);
      expect(await other.start()).toBe(true);
      const none = { compared: 0, skipped: 0 };
      expect(await one.last()).toMatchObject({ run: run + 1, afterId: 0, ...none, live: none });
    });

    it("start once per night, beginning with the second night", async () => {
      const store = newStore();
      const { comparisons } = records.of(store);
      expect(await comparisons.startNightly()).toBe(false);
      expect(await comparisons.last()).toMatchObject({ run: 0, compared: 0 });
      expect(await comparisons.startNightly()).toBe(false);
      await advanceOneDay(store);
      const started = await Promise.all([
        comparisons.startNightly(),
        others.of(store).comparisons.startNightly(),
      ]);
      expect(started.filter(Boolean)).toHaveLength(1);
      expect(await comparisons.last()).toMatchObject({ run: 1, askedBy: "night", endedAt: null });
      await advanceOneDay(store);
      expect(await comparisons.startNightly()).toBe(false);
      await comparisons.finish(1);
      expect(await comparisons.startNightly()).toBe(true);
    });

    it("start over on the second night if still in progress", async () => {
      const store = newStore();
      const { comparisons } = records.of(store);
      await comparisons.start();
      await comparisons.advance(1, 7, { compared: 1, skipped: 0, live: { compared: 0, skipped: 0 } });
      await advanceOneDay(store);
      expect(await comparisons.startNightly()).toBe(false);
      await advanceOneDay(store);
      expect(await comparisons.startNightly()).toBe(true);
      expect(await comparisons.last()).toMatchObject({ run: 2, afterId: 0, compared: 0, endedAt: null });
    });

    it("store a payment's differences until it is compared again, and drop differences that a run doesn't find again", async () => {
      const store = newStore();
      const { comparisons } = records.of(store);
      await comparisons.start();
      await comparisons.replace(1, { id: 3, storeOrderId: 30 }, [difference("amount"), difference("state")]);
      await comparisons.replace(1, { id: 4, storeOrderId: 40 }, [
        difference("state", { repair: "apply_order" }),
      ]);
      await comparisons.replace(1, { id: 5, storeOrderId: 50 }, [difference("state")]);
      const [newest] = await others.of(store).comparisons.differences(1);
      expect(newest).toMatchObject({ paymentId: 5, storeOrderId: 50 });
      await comparisons.finish(1);
      await comparisons.start();
      await comparisons.replace(2, { id: 3, storeOrderId: 30 }, [difference("amount")]);
      await comparisons.carryOverDifferences(2, 4);
      expect(await comparisons.countDifferences()).toEqual({ open: 3, accepted: 0 });
      await comparisons.finish(2);
      expect(await others.of(store).comparisons.differences(10)).toMatchObject([
        { paymentId: 4, field: "state", repair: "apply_order" },
        { paymentId: 3, field: "amount", repair: null },
      ]);
      expect(await comparisons.countDifferences()).toEqual({ open: 2, accepted: 0 });
      expect(await records.of(newStore()).comparisons.countDifferences()).toEqual({ open: 0, accepted: 0 });
    });

    it("keep an acceptance while the difference stays the same, and separately for each store", async () => {
      const store = newStore();
      const { comparisons } = records.of(store);
      const name = { paymentId: 3, subject: "order", subjectId: difference("amount").subjectId } as const;
      const payment = { id: 3, storeOrderId: 30 };
      await comparisons.start();
      await comparisons.replace(1, payment, [difference("amount"), difference("refunded")]);
      expect(await records.of(newStore()).comparisons.accept({ ...name, field: "amount" })).toBe(false);
      expect(await comparisons.accept({ ...name, field: "amount" })).toBe(true);
      expect(await comparisons.countDifferences()).toEqual({ open: 1, accepted: 1 });
      expect(await comparisons.areRefundsAccepted(30)).toBe(false);
      expect(await others.of(store).comparisons.accept({ ...name, field: "refunded" })).toBe(true);
      expect(await comparisons.areRefundsAccepted(30)).toBe(true);
      expect(await comparisons.areRefundsAccepted(31)).toBe(false);
      await comparisons.replace(1, payment, [
        difference("amount", { text: "another amount" }),
        difference("refunded"),
      ]);
      expect(await comparisons.differences(10)).toMatchObject([{ field: "amount" }]);
      expect(await comparisons.countDifferences()).toEqual({ open: 1, accepted: 1 });
    });

    it("don't overwrite a payment's differences that have changed since they were read, even over another connection", async () => {
      const store = newStore();
      const { comparisons } = records.of(store);
      const payment = { id: 3, storeOrderId: 30 };
      await comparisons.start();
      const version = async () => (await comparisons.ofPayment(3)).version;
      const replace = async (found: FoundDifference[], expected: string) =>
        others.of(store).comparisons.replace(1, payment, found, expected);
      const none = await version();
      expect(await replace([difference("amount"), difference("state")], none)).toBe(true);
      const both = await version();
      expect(await replace([difference("state")], none)).toBe(false);
      expect(await version()).toBe(both);
      expect(await replace([difference("state"), difference("amount")], both)).toBe(true);
      expect(await version()).toBe(both);
      await comparisons.accept({ paymentId: 3, subject: "order", subjectId: "POS-1", field: "state" });
      const { version: accepted, accepted: sent } = await comparisons.ofPayment(3);
      expect(sent).toEqual([
        {
          ...{ subject: "order", subject_id: "POS-1", field: "state" },
          ...{ kind: "amount_differs", text: "It differs." },
        },
      ]);
      expect(await replace([], both)).toBe(false);
      expect(await comparisons.countDifferences()).toEqual({ open: 1, accepted: 1 });
      expect(await replace([], accepted)).toBe(true);
      expect(await version()).toBe(none);
    });

    it("read a store's payments that have a Tillgate order, sorted by ID", async () => {
      const store = newStore();
      const { payments } = records.of(store);
      const ids: number[] = [];
      for (let order = 1; order <= 4; order += 1) {
        const { id } = await payments.start(newPayment(order));
        if (order !== 3) ids.push((await payments.markPlaced(id, tillgateOrder(`POS-${order}`))).id);
      }
      const elsewhere = await records.of(newStore()).payments.start(newPayment(1));
      const after = async (id: number, withinMs: number, limit: number) =>
        (await payments.placedAfter(id, withinMs, limit)).map((payment) => payment.id);
      expect(await after(0, 60_000, 2)).toEqual(ids.slice(0, 2));
      expect(await after(ids[1] ?? 0, 60_000, 2)).toEqual(ids.slice(2));
      expect(await after(0, -60_000, 10)).toEqual([]);
      expect(await payments.byId(elsewhere.id)).toBeNull();
      expect((await payments.ofOrder(1)).map(({ id }) => id)).toEqual(ids.slice(0, 1));
    });
  });

  it("are complete even if two connections write concurrently, in transactions or single statements", async () => {
    const store = newStore();
    const orders = Array.from({ length: 60 }, (_, index) => index + 1);
    await Promise.all(
      orders.flatMap((order) => {
        const by = order % 2 === 0 ? records : others;
        return [
          by.of(store).payments.start(newPayment(order)),
          by.of(`${store}-${order}`).cursors.write("changes", "now"),
        ];
      }),
    );
    // A third connection sees only committed rows.
    const third = await openRecords({ url: url(), onConnectionError });
    const known = await third.of(store).payments.knownOrders(orders);
    expect(known.sort((one, other) => one - other)).toEqual(orders);
    for (const order of orders)
      expect(await third.of(`${store}-${order}`).cursors.read("changes")).toBe("now");
    expect(await third.of(store).payments.count()).toEqual({ underWay: 60, givenUp: 0 });
    await third.close();
  });

  it("survive when a process is killed while writing, and its claim then expires", async () => {
    const script = fileURLToPath(new URL("./fakes/write-records.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", script, url()], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    await expect.poll(() => output.split("\n").length, { timeout: 20_000 }).toBeGreaterThan(20);
    child.kill("SIGKILL");
    await once(child, "exit");
    // All reported writes are stored. An incomplete last line is ignored.
    const written = output.split("\n").slice(0, -1).map(Number);
    const orders = await records.of("killed").payments.knownOrders(written);
    expect(orders.sort((one, other) => one - other)).toEqual(written);
    await expect
      .poll(() => records.of("any").claims.acquire("killed", 10_000), { timeout: 10_000 })
      .not.toBeNull();
  });
});

function strip({ storeOrderId, request, amountMinor, currency }: NewPayment) {
  return { storeOrderId, request, amountMinor, currency };
}

it("openRecords rejects an in-memory database, a relative path, a folder and unsupported URL schemes", async () => {
  for (const url of [
    ":memory:",
    "file::memory:",
    "file:/:memory:",
    "file:/tmp/x.db?mode=memory",
    "file:connector.db",
    "file:/tmp/",
    "libsql://host",
    "mysql://host/db",
  ]) {
    await expect(openRecords({ url, onConnectionError }), url).rejects.toThrow(RangeError);
  }
});

it("a SQLite file is rejected if an applied migration was edited", async () => {
  const changed = path.join(folder, "changed.db");
  const url = `file:${changed}`;
  await (await openRecords({ url, onConnectionError })).close();
  const file = new SqliteFile(changed);
  file.exec("UPDATE migrations SET checksum = 'another'");
  file.close();
  await expect(openRecords({ url, onConnectionError })).rejects.toThrow(/was changed after it was applied/);
});

it("a SQLite file migrated by a newer version is rejected", async () => {
  const newer = path.join(folder, "newer.db");
  const url = `file:${newer}`;
  await (await openRecords({ url, onConnectionError })).close();
  const file = new SqliteFile(newer);
  file.exec("INSERT INTO migrations (name, checksum) VALUES ('9999_later', '')");
  file.close();
  await expect(openRecords({ url, onConnectionError })).rejects.toThrow(/newer version.*9999_later/);
});

it("a SQLite file and its journals are readable by their owner only", async () => {
  const file = path.join(folder, "private.db");
  const modes = async () => {
    const found = await Promise.all(
      [file, `${file}-wal`, `${file}-shm`].map((one) => stat(one).then(({ mode }) => mode & 0o777)),
    );
    return found.map((mode) => mode.toString(8));
  };
  const options = { url: `file:${file}`, onConnectionError: () => undefined };
  const before = process.umask(0);
  try {
    const records = await openRecords(options);
    await records.of("any").claims.acquire("private", 1_000);
    expect(await modes()).toEqual(["600", "600", "600"]);
    for (const one of [file, `${file}-wal`, `${file}-shm`]) await chmod(one, 0o664);
    const other = await openRecords(options);
    expect(await modes()).toEqual(["600", "600", "600"]);
    await other.close();
    await records.close();
  } finally {
    process.umask(before);
  }
});
