import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { chmod, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client";
import { migrate } from "@tillgate/migrate";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRecords } from "../../src/records/open-records.js";
import type { NewAttempt, NewShopRefund, OpenRecords } from "../../src/records/records.js";

const admin = process.env.TILLGATE_TEST_POSTGRES_URL ?? "";
const name = `connector_${randomBytes(6).toString("hex")}`;
const folder = mkdtempSync(path.join(tmpdir(), "connector-records-"));
const onConnectionError = () => undefined;

async function run(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const postgresUrl = () => {
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
};
const urls = { PostgreSQL: postgresUrl, "a SQLite file": () => `file:${path.join(folder, "connector.db")}` };

beforeAll(() => run(`CREATE DATABASE ${name}`));
afterAll(async () => {
  await run(`DROP DATABASE ${name} WITH (FORCE)`);
  rmSync(folder, { recursive: true });
});

const newAttempt = (storeOrderId: number, changes: Partial<NewAttempt> = {}): NewAttempt => ({
  storeOrderId,
  amountMinor: 4150n,
  currency: "EUR",
  credential: { mode: "sandbox", clientId: "ci_demo" },
  checkInMs: 60_000,
  request: {
    amount: "41.50",
    currency: "EUR",
    payment_method: "both",
    reference: String(storeOrderId),
    description: "Order",
    callback_url: "http://connector.test/",
    return_url: "http://store.test/",
    cancel_url: "http://store.test/",
    expires_in: 900,
    idempotency_key: randomUUID(),
  },
  ...changes,
});
const tillgateOrder = (id: string) => ({
  tillgateOrderId: id,
  paymentUrl: `http://pay.test/${id}`,
  qrData: null,
  expiresAt: new Date("2026-11-21T12:00:00Z"),
});
const shopRefund = (storeRefundId: number, changes: Partial<NewShopRefund> = {}): NewShopRefund => ({
  storeRefundId,
  storeOrderId: 1,
  tillgateOrderId: "POS-1",
  trxId: "TRX-1",
  idempotencyKey: `key-${storeRefundId}`,
  reference: `1 key-${storeRefundId}`,
  reason: "Broken",
  amountMinor: 1000n,
  currency: "EUR",
  ...changes,
});

describe.each(Object.entries(urls))("records in %s", (_kind, url) => {
  /** Two processes' worth of records over one database. */
  let records: OpenRecords;
  let others: OpenRecords;
  let stores = 0;
  const newStore = () => {
    stores += 1;
    return `store-${stores}`;
  };
  beforeAll(async () => {
    // At once: one migrates, the other waits and finds nothing to do.
    [records, others] = await Promise.all([
      openRecords({ url: url(), onConnectionError }),
      openRecords({ url: url(), onConnectionError }),
    ]);
  });
  afterAll(() => Promise.all([records.close(), others.close()]));

  it("are ready", async () => {
    await expect(records.ready()).resolves.toBeUndefined();
  });

  describe("claims", () => {
    it("have one holder, however many ask at once", async () => {
      const claim = `order:${randomUUID()}`;
      const tokens = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? records : others).claims.take(claim, 10_000),
        ),
      );
      expect(tokens.filter((token) => token !== null)).toHaveLength(1);
    });

    it("that ran out go to the next, and the holder before can neither keep nor release them", async () => {
      const claim = `order:${randomUUID()}`;
      const first = (await records.claims.take(claim, 1)) ?? "";
      await expect.poll(() => others.claims.take(claim, 10_000)).not.toBeNull();
      expect(await records.claims.keep(claim, first, 10_000)).toBe(false);
      await records.claims.release(claim, first);
      expect(await records.claims.take(claim, 10_000)).toBeNull();
    });

    it("that are kept hold on, and are free when released", async () => {
      const claim = `order:${randomUUID()}`;
      const token = (await records.claims.take(claim, 1)) ?? "";
      expect(await records.claims.keep(claim, token, 10_000)).toBe(true);
      expect(await others.claims.take(claim, 10_000)).toBeNull();
      await records.claims.release(claim, token);
      expect(await others.claims.take(claim, 10_000)).not.toBeNull();
    });
  });

  describe("attempts", () => {
    it("come back as they were stored, and the newest of an order is the current one", async () => {
      const store = newStore();
      const older = await records.attempts.start(store, newAttempt(1));
      const request = newAttempt(1, { amountMinor: 9_000_000_000_000n });
      const newer = await records.attempts.start(store, request);
      expect(newer).toMatchObject({ state: "creating", order: null, isCurrent: true, ...strip(request) });
      expect(await others.attempts.current(store, 1)).toEqual(newer);
      expect((await others.attempts.byId(older.id))?.isCurrent).toBe(false);
      const created = await records.attempts.created(newer.id, tillgateOrder("POS-1"));
      expect(created).toMatchObject({ state: "pending", order: tillgateOrder("POS-1") });
      await expect(records.attempts.created(newer.id, tillgateOrder("POS-2"))).rejects.toThrow(/no longer/);
      expect(await others.attempts.byTillgateOrder(store, "POS-1")).toEqual(created);
      expect(await others.attempts.byTillgateOrder(newStore(), "POS-1")).toBeNull();
      expect(await others.attempts.knownOrders(store, [1, 2])).toEqual([1]);
    });

    it("are one current for an order, also where two processes start one at once", async () => {
      const store = newStore();
      const outcomes = await Promise.allSettled(
        [records, others, records, others].map((one) => one.attempts.start(store, newAttempt(7))),
      );
      const started = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      expect(started.length).toBeGreaterThan(0);
      const now = await Promise.all(started.map(({ id }) => records.attempts.byId(id)));
      expect(now.filter((attempt) => attempt?.isCurrent)).toHaveLength(1);
    });

    it("are settled with their transaction and found by it", async () => {
      const store = newStore();
      const { id } = await records.attempts.start(store, newAttempt(1));
      await records.attempts.created(id, tillgateOrder("POS-1"));
      await records.attempts.cancelling(id, "it was edited");
      await records.attempts.settled(id, "paid", "TRX-1");
      await records.attempts.settled(id, "refunded", null);
      expect(await others.attempts.byTransactions(store, ["TRX-1", "TRX-2"])).toMatchObject([
        { id, state: "refunded", trxId: "TRX-1", cancelReason: "it was edited" },
      ]);
    });

    it("that are due are taken by one, are counted, and are left alone once they are given up", async () => {
      const store = newStore();
      for (let order = 1; order <= 6; order += 1)
        await records.attempts.start(store, newAttempt(order, { checkInMs: -1 }));
      await records.attempts.start(store, newAttempt(7));
      const taken = await Promise.all([
        records.attempts.takeDue(store, 4, 60_000),
        others.attempts.takeDue(store, 4, 60_000),
      ]);
      const ids = taken.flat().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      ids.push(...(await records.attempts.takeDue(store, 10, 60_000)).map(({ id }) => id));
      expect(new Set(ids).size).toBe(6);
      const [first] = ids;
      if (first === undefined) throw new Error("none was due");
      await records.attempts.checkFailed(first, -1);
      expect(await others.attempts.takeDue(store, 10, -1)).toMatchObject([{ id: first, failedChecks: 1 }]);
      await records.attempts.checked(first, -1);
      expect((await records.attempts.byId(first))?.failedChecks).toBe(0);
      await records.attempts.givenUp(first);
      expect(await others.attempts.takeDue(store, 10, -1)).toEqual([]);
      expect(await records.attempts.count(store)).toEqual({ underWay: 7, givenUp: 1 });
    });

    it("that Tillgate refused stay refused", async () => {
      const store = newStore();
      const { id } = await records.attempts.start(store, newAttempt(1));
      await records.attempts.refused(id);
      expect(await records.attempts.byId(id)).toMatchObject({ state: "refused", order: null });
      await expect(records.attempts.created(id, tillgateOrder("POS-1"))).rejects.toThrow();
    });
  });

  it("events are done once and are removed when they are old and done", async () => {
    const store = newStore();
    const event = { eventId: "evt_1", event: "pos.order.paid", tillgateOrderId: "POS-1", body: "{}" };
    await records.events.receive(store, event);
    await others.events.receive(store, event);
    await records.events.receive(store, { ...event, eventId: "evt_2" });
    expect(await records.events.isDone(store, "evt_1")).toBe(false);
    await records.events.done(store, "evt_1", "complete_payment");
    expect(await others.events.isDone(store, "evt_1")).toBe(true);
    expect(await records.events.prune(store, 60_000)).toBe(0);
    expect(await records.events.prune(store, -1)).toBe(1);
    expect(await others.events.isDone(store, "evt_1")).toBe(false);
  });

  it("refunds are recorded once, and those that wait for approval come due until they end", async () => {
    const store = newStore();
    const refund = { refundId: "RF-1", storeOrderId: 1, amountMinor: 100n, currency: "EUR" };
    expect(await records.refunds.begin(store, refund)).toEqual({ storeRefundId: null, recorded: false });
    expect(await records.refunds.recordsOf(store, 1)).toEqual([]);
    await records.refunds.recorded(store, "RF-1", 77);
    await others.refunds.recorded(store, "RF-1", 78);
    expect(await others.refunds.begin(store, refund)).toEqual({ storeRefundId: 77, recorded: true });
    expect(await others.refunds.recordsOf(store, 1)).toEqual([77]);
    for (const refundId of ["RF-2", "RF-3"]) await records.refunds.watch(store, { ...refund, refundId }, -1);
    await others.refunds.watch(store, { ...refund, refundId: "RF-1" }, -1);
    const due = await others.refunds.takeDue(store, 10, -1, 60_000);
    expect(due.map(({ refundId }) => refundId).sort()).toEqual(["RF-2", "RF-3"]);
    await records.refunds.failed(store, "RF-2");
    await records.refunds.begin(store, { ...refund, refundId: "RF-3" });
    await records.refunds.recorded(store, "RF-3", null);
    expect(await others.refunds.takeDue(store, 10, 60_000, 60_000)).toEqual([]);
    await records.refunds.watch(store, { ...refund, refundId: "RF-4" }, 60_000);
    expect(await records.refunds.ends(store, ["RF-1", "RF-2", "RF-3", "RF-4", "RF-5"])).toEqual(
      new Map([
        ["RF-1", "recorded"],
        ["RF-2", "failed"],
        ["RF-3", "recorded"],
        ["RF-4", "open"],
      ]),
    );
  });

  describe("refunds of the shop", () => {
    it("are found by reference until their number is known, then by number", async () => {
      const store = newStore();
      const begun = await records.shopRefunds.begin(store, shopRefund(5));
      expect(begun).toEqual({
        ...shopRefund(5),
        state: "calling",
        refundId: null,
        deleted: false,
        ageMs: expect.any(Number),
      });
      const { reference } = begun;
      expect(await others.shopRefunds.find(store, 1, { refundId: "RF-1", reference })).toEqual({
        ...begun,
        ageMs: expect.any(Number),
      });
      expect(await others.shopRefunds.find(store, 2, { refundId: "RF-1", reference })).toBeNull();
      await records.shopRefunds.answered(store, 5, "pending", "RF-1");
      await records.shopRefunds.answered(store, 5, "completed", null);
      await records.shopRefunds.answered(store, 5, "failed", "RF-1");
      await records.shopRefunds.deleted(store, 5);
      const found = await others.shopRefunds.find(store, 1, { refundId: "RF-1", reference: null });
      expect(found).toMatchObject({ state: "completed", refundId: "RF-1", deleted: true });
      expect(await others.shopRefunds.find(store, 1, { refundId: "RF-2", reference })).toBeNull();
      expect(await others.shopRefunds.ofOrder(store, 1)).toEqual([{ ...found, ageMs: expect.any(Number) }]);
    });

    it("are continued under another number where their outcome is not known and they were deleted", async () => {
      const store = newStore();
      await records.shopRefunds.begin(store, shopRefund(5));
      await expect(records.shopRefunds.continueAs(store, 5, 6)).rejects.toThrow();
      await records.shopRefunds.answered(store, 5, "given_up", null);
      await records.shopRefunds.deleted(store, 5);
      expect(await others.shopRefunds.continueAs(store, 5, 6)).toMatchObject({
        storeRefundId: 6,
        idempotencyKey: "key-5",
        state: "calling",
        deleted: false,
      });
      expect(await records.shopRefunds.ofOrder(store, 1)).toHaveLength(1);
    });

    it("send one key once, and again only where Tillgate refused it", async () => {
      const store = newStore();
      await records.shopRefunds.begin(store, shopRefund(5));
      const again = shopRefund(6, { idempotencyKey: "key-5" });
      await expect(others.shopRefunds.begin(store, again)).rejects.toThrow();
      await records.shopRefunds.answered(store, 5, "refused", null);
      await others.shopRefunds.begin(store, again);
      await others.shopRefunds.answered(store, 6, "completed", "RF-1");
      const same = { idempotencyKey: "key-5" };
      await records.shopRefunds.notSent(store, shopRefund(7, same), { state: "repeated", refundId: "RF-1" });
      await records.shopRefunds.notSent(store, shopRefund(8, same), { state: "ignored", refundId: null });
      const all = await records.shopRefunds.ofOrder(store, 1);
      expect(all.map(({ state }) => state)).toEqual(["refused", "completed", "repeated", "ignored"]);
    });
  });

  it("hints are one for an order, are taken by one, and stay when the order changed meanwhile", async () => {
    const store = newStore();
    await Promise.all([
      records.hints.put(store, [1, 2, 3], -1),
      others.hints.put(store, [3, 2, 1], -1),
      records.hints.put(store, [4], 60_000),
    ]);
    await records.hints.put(store, [], 0);
    expect(await records.hints.count(store)).toBe(3);
    const taken = (
      await Promise.all([records.hints.takeDue(store, 2, 60_000), others.hints.takeDue(store, 2, 60_000)])
    ).flat();
    taken.push(...(await records.hints.takeDue(store, 5, 60_000)));
    expect(taken.map(({ storeOrderId }) => storeOrderId).sort()).toEqual([1, 2, 3]);
    const [first, second, third] = taken.toSorted((one, other) => one.storeOrderId - other.storeOrderId);
    if (first === undefined || second === undefined || third === undefined) throw new Error("not three");
    await records.hints.put(store, [first.storeOrderId], -1);
    await records.hints.put(store, [second.storeOrderId], 60_000);
    for (const hint of [first, second]) await others.hints.done(store, hint);
    await others.hints.failed(store, third, -1);
    const again = await records.hints.takeDue(store, 5, 60_000);
    expect(again.toSorted((one, other) => one.storeOrderId - other.storeOrderId)).toMatchObject([
      { storeOrderId: 1, failures: 0 },
      { storeOrderId: 3, failures: 1 },
    ]);
    // Who took it before can not end what another took meanwhile.
    await records.hints.done(store, first);
    await records.hints.failed(store, third, -1);
    expect(await records.hints.takeDue(store, 5, 60_000)).toEqual([]);
    for (const hint of again) await records.hints.done(store, hint);
    await records.hints.put(store, [1, 2, 3, 4], -1);
    expect(await records.hints.count(store)).toBe(4);
  });

  it("cursors are one for each name", async () => {
    const store = newStore();
    expect(await records.cursors.read(store, "changes")).toBeNull();
    await records.cursors.write(store, "changes", "one");
    await others.cursors.write(store, "changes", "two");
    await others.cursors.write(store, "refunds", "three");
    expect(await records.cursors.read(store, "changes")).toBe("two");
    expect(await records.cursors.read(store, "refunds")).toBe("three");
  });

  it("health keeps the newest word, and one entry for each problem until it is settled", async () => {
    const store = newStore();
    await records.health.report(store, "last_sweep", "1");
    await others.health.report(store, "last_sweep", "2");
    const [report] = await records.health.reports(store);
    expect(report).toMatchObject({ name: "last_sweep", value: "2" });
    expect(Math.abs(Date.now() - Number(report?.reportedAt))).toBeLessThan(60_000);
    const problem = { kind: "mismatch", subject: "POS-1", storeOrderId: 1, text: "It differs." };
    await records.health.raise(store, problem);
    await others.health.raise(store, { ...problem, text: "It still differs." });
    await records.health.raise(store, { ...problem, subject: "POS-2", storeOrderId: null });
    expect(await records.health.countProblems(store)).toEqual(new Map([["mismatch", 2]]));
    expect(await records.health.problems(store, 10)).toContainEqual(
      expect.objectContaining({ subject: "POS-1", storeOrderId: 1, times: 2, text: "It still differs." }),
    );
    expect(await records.health.problems(store, 1)).toHaveLength(1);
    await others.health.settle(store, "mismatch", "POS-1");
    await records.health.prune(store, 60_000);
    expect(await records.health.problems(store, 10)).toHaveLength(1);
    await records.health.prune(store, -1);
    expect(await records.health.problems(store, 10)).toEqual([]);
  });

  it("survive a process that is killed in the middle of writing, and its claim runs out", async () => {
    const script = fileURLToPath(new URL("./fakes/write-records.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", script, url()], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk) => (said += chunk));
    await expect.poll(() => said.split("\n").length, { timeout: 20_000 }).toBeGreaterThan(20);
    child.kill("SIGKILL");
    await once(child, "exit");
    // What it said was written is there; the line it may have been saying is not counted.
    const written = said.split("\n").slice(0, -1).map(Number);
    const orders = await records.attempts.knownOrders("killed", written);
    expect(orders.sort((one, other) => one - other)).toEqual(written);
    await expect.poll(() => records.claims.take("killed", 10_000), { timeout: 10_000 }).not.toBeNull();
  });
});

function strip({ storeOrderId, request, amountMinor, currency }: NewAttempt) {
  return { storeOrderId, request, amountMinor, currency };
}

it("records are never kept in memory, nor in a file that is not named in full", async () => {
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

it("a PostgreSQL database of the version before keeps how far the store was read", async () => {
  const before = mkdtempSync(path.join(tmpdir(), "connector-before-"));
  const database = `${name}_before`;
  await run(`CREATE DATABASE ${database}`);
  try {
    const first = "20261121000000_connector";
    cpSync(new URL(`../../migrations/postgres/${first}`, import.meta.url), path.join(before, first), {
      recursive: true,
    });
    const url = postgresUrl().replace(name, database);
    await migrate(url, before);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("INSERT INTO cursors VALUES ('demo', '2026-11-21T12:34:56+01:00')");
    await client.end();
    const records = await openRecords({ url, onConnectionError });
    expect(await records.cursors.read("demo", "changes")).toBe("2026-11-21T11:34:56.000Z");
    await records.close();
  } finally {
    await run(`DROP DATABASE ${database} WITH (FORCE)`);
    rmSync(before, { recursive: true });
  }
});

it("a SQLite file whose migration was changed after it was applied is refused, and nothing is written", async () => {
  const url = `file:${path.join(folder, "changed.db")}`;
  await (await openRecords({ url, onConnectionError })).close();
  const client = createClient({ url });
  await client.execute("UPDATE migrations SET checksum = 'another'");
  client.close();
  await expect(openRecords({ url, onConnectionError })).rejects.toThrow(/was changed after it was applied/);
});

it("a SQLite file and what SQLite keeps beside it are its owner's only, also one that was not", async () => {
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
    await records.claims.take("private", 1_000);
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
