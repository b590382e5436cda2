import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checksumOf, migrate, readMigrations } from "@tillgate/migrate";
import SqliteFile from "libsql";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { openRecords } from "../../src/records/open-records.js";
import type { Records } from "../../src/records/records.js";
import { newPayment } from "./fakes/new-payment.js";

const admin = process.env.TILLGATE_TEST_POSTGRES_URL ?? "";
const folder = mkdtempSync(path.join(tmpdir(), "connector-upgrade-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The migrations of connectors from the time when they were named by the clock. */
const before = (kind: string) =>
  fileURLToPath(new URL(`./fixtures/named-by-the-clock/${kind}`, import.meta.url));

/** Runs SQL in a database. */
type Run = (sql: string) => Promise<void>;
type Kind = {
  /** Makes a database that has these migrations. */
  install(names: readonly string[]): Promise<{ url: string; run: Run; close(): Promise<void> }>;
  /** SQL for a time so many milliseconds from now. */
  at(milliseconds: number): string;
  names: readonly string[];
  no: string;
};

async function runIn(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const kinds: Record<string, Kind> = {
  PostgreSQL: {
    async install(names) {
      const name = `connector_${randomBytes(6).toString("hex")}`;
      await runIn(admin, `CREATE DATABASE ${name}`);
      const address = new URL(admin);
      address.pathname = `/${name}`;
      const some = mkdtempSync(path.join(folder, "some-"));
      for (const one of names)
        cpSync(path.join(before("postgres"), one), path.join(some, one), { recursive: true });
      await migrate(address.href, some);
      return {
        url: address.href,
        run: (sql) => runIn(address.href, sql),
        close: () => runIn(admin, `DROP DATABASE ${name} WITH (FORCE)`),
      };
    },
    at: (milliseconds) => `clock_timestamp() + interval '${milliseconds} milliseconds'`,
    names: readMigrations(before("postgres")).map(({ name }) => name),
    no: "false",
  },
  "a SQLite file": {
    async install(names) {
      const file = path.join(folder, `${randomBytes(6).toString("hex")}.db`);
      const database = new SqliteFile(file);
      database.exec(
        "CREATE TABLE migrations (name TEXT PRIMARY KEY, checksum TEXT NOT NULL, applied_at TEXT NOT NULL DEFAULT (datetime('now'))) STRICT",
      );
      for (const { name, sql } of readMigrations(before("sqlite"))) {
        if (!names.includes(name)) continue;
        database.exec(sql);
        database.prepare("INSERT INTO migrations (name, checksum) VALUES (?, ?)").run(name, checksumOf(sql));
      }
      return {
        url: `file:${file}`,
        run: async (sql) => void database.exec(sql),
        close: async () => void database.close(),
      };
    },
    at: (milliseconds) => `CAST(unixepoch('subsec') * 1000 AS INTEGER) + ${milliseconds}`,
    names: readMigrations(before("sqlite")).map(({ name }) => name),
    no: "0",
  },
};

async function withUpgraded(
  kind: Kind,
  names: readonly string[],
  fill: (run: Run) => Promise<void>,
  look: (records: Records, run: Run) => Promise<void>,
): Promise<void> {
  const { url, run, close } = await kind.install(names);
  try {
    await fill(run);
    // At once: one upgrades, the other finds nothing to do.
    const [records, others] = await Promise.all(
      [1, 2].map(() => openRecords({ url, onConnectionError: () => undefined })),
    );
    if (records === undefined || others === undefined) throw new Error("not two");
    await look(records.of("demo"), run);
    await Promise.all([records.close(), others.close()]);
  } finally {
    await close();
  }
}

const request = JSON.stringify(newPayment(1).request);
const order = (id: string) => `'${id}', 'http://pay.test/${id}', 'qr:${id}'`;

describe.each(Object.entries(kinds))("a database of the version before in %s", (_name, kind) => {
  const { at, no } = kind;

  it("keeps what it knows, and what was due is due as it was", async () => {
    await withUpgraded(
      kind,
      kind.names,
      async (run) => {
        await run(`INSERT INTO attempts (store_id, store_order_id, idempotency_key, request, amount_minor, currency, state,
            is_current, tillgate_order_id, payment_url, qr_data, expires_at, trx_id, cancel_reason, next_check_at, failed_checks,
            given_up_at, mode, client_id)
          VALUES
          ('demo', 1, 'k1', '${request}', 4150, 'EUR', 'cancelled', ${no}, ${order("POS-1")}, ${at(0)}, NULL, 'it was edited', ${at(-1)}, 0, NULL, NULL, NULL),
          ('demo', 1, 'k2', '${request}', 4150, 'EUR', 'pending', NOT ${no}, ${order("POS-2")}, ${at(60_000)}, NULL, NULL, ${at(-1_000)}, 2, NULL, 'live', 'ci_demo'),
          ('demo', 2, 'k3', '${request}', 9000000000000, 'EUR', 'creating', NOT ${no}, NULL, NULL, NULL, NULL, NULL, NULL, ${at(3_600_000)}, 0, NULL, 'sandbox', 'ci_demo'),
          ('demo', 3, 'k4', '${request}', 4150, 'EUR', 'pending', NOT ${no}, ${order("POS-4")}, ${at(0)}, NULL, NULL, ${at(-1_000)}, 60, ${at(-1)}, 'sandbox', 'ci_demo'),
          ('demo', 4, 'k5', '${request}', 4150, 'EUR', 'paid', NOT ${no}, ${order("POS-5")}, ${at(0)}, 'TRX-5', NULL, ${at(-1_000)}, 0, NULL, 'sandbox', 'ci_demo')`);
        await run(`INSERT INTO hints (store_id, store_order_id, version, failures, due_at, wanted_at) VALUES
          ('demo', 4, 7, 3, ${at(-1_000)}, NULL), ('demo', 5, 1, 0, ${at(3_600_000)}, ${at(-1_000)})`);
        await run(`INSERT INTO refunds (store_id, refund_id, store_order_id, amount_minor, currency, store_refund_id, recorded_at, next_check_at, failed_at) VALUES
          ('demo', 'RF-1', 4, 100, 'EUR', 77, ${at(0)}, NULL, NULL),
          ('demo', 'RF-2', 4, 200, 'EUR', NULL, NULL, ${at(-1_000)}, NULL),
          ('demo', 'RF-3', 4, 300, 'EUR', NULL, NULL, NULL, ${at(0)}),
          ('demo', 'RF-4', 4, 300, 'EUR', NULL, NULL, NULL, NULL)`);
        await run(`INSERT INTO shop_refunds (store_id, store_refund_id, store_order_id, tillgate_order_id, trx_id, idempotency_key,
            reference, reason, amount_minor, currency, state, refund_id, deleted_at) VALUES
          ('demo', 5, 4, 'POS-5', 'TRX-5', 'key-5', '4 key-5', 'Broken', 100, 'EUR', 'calling', NULL, NULL),
          ('demo', 6, 4, 'POS-5', 'TRX-5', 'key-6', '4 key-6', 'Broken', 200, 'EUR', 'completed', 'RF-2', ${at(0)})`);
        await run(`INSERT INTO events (store_id, event_id, event, tillgate_order_id, body, done_at) VALUES
          ('demo', 'evt_1', 'pos.order.paid', 'POS-5', '{}', ${at(0)}), ('demo', 'evt_2', 'refund.completed', 'POS-5', '{}', NULL)`);
        await run(`INSERT INTO claims (name, token, expires_at) VALUES
          ('held', '0b5b3c1e-6c0c-4f3c-9a9e-111111111111', ${at(3_600_000)}), ('over', '0b5b3c1e-6c0c-4f3c-9a9e-222222222222', ${at(-1_000)})`);
        await run("INSERT INTO cursors (store_id, name, value) VALUES ('demo', 'changes', 'then')");
        await run(
          `INSERT INTO reports (store_id, name, value, reported_at) VALUES ('demo', 'last_sweep', '{}', ${at(-60_000)})`,
        );
        await run(`INSERT INTO problems (store_id, kind, subject, store_order_id, text, times, first_at, last_at) VALUES
          ('demo', 'mismatch', 'order 4', 4, 'It differs.', 2, ${at(-60_000)}, ${at(0)})`);
        await run(`INSERT INTO requests (name, count, ends_at) VALUES ('somebody', 9, ${at(60_000)})`);
      },
      async (
        { claims, cursors, due, events, followedRefunds, health, outgoingRefunds, payments, requests },
        run,
      ) => {
        const now = await payments.current(1);
        expect(now).toMatchObject({
          state: "pending",
          isCurrent: true,
          amountMinor: 4150n,
          request: JSON.parse(request),
          credential: { mode: "live", clientId: "ci_demo" },
          order: { tillgateOrderId: "POS-2", paymentUrl: "http://pay.test/POS-2", qrData: "qr:POS-2" },
        });
        const leftMs = Number(now?.order?.expiresAt) - Date.now();
        expect(leftMs).toBeGreaterThan(0);
        expect(leftMs).toBeLessThanOrEqual(60_000);
        expect(await payments.byTillgateOrder("POS-1")).toMatchObject({
          state: "cancelled",
          isCurrent: false,
          cancelReason: "it was edited",
          credential: null,
        });
        expect(await payments.current(2)).toMatchObject({
          state: "creating",
          amountMinor: 9_000_000_000_000n,
        });
        expect(await payments.byTransactions(["TRX-5"])).toMatchObject([{ storeOrderId: 4 }]);
        expect(await payments.count()).toEqual({ underWay: 3, givenUp: 1 });
        // Neither the one that was given up nor those with an end, and not yet the one that is due in an hour.
        const [check, ...others] = await due.take("payment", 10, 60_000);
        expect(check).toEqual({ subject: String(now?.id), storeOrderId: 1, lease: 1, failures: 2 });
        expect(others).toEqual([]);
        const later = await due.take("payment", 10, 60_000);
        expect(later).toEqual([]);
        const [look] = await due.take("order", 10, 60_000);
        expect(look).toEqual({ subject: "4", storeOrderId: 4, lease: 8, failures: 3 });
        await run("UPDATE due SET due_at = 0");
        expect(await due.take("payment", 10, 60_000)).toHaveLength(2);
        const asked = (await due.take("order", 10, 60_000)).find(({ subject }) => subject === "5");
        expect(asked).toEqual({ subject: "5", storeOrderId: 5, lease: 2, failures: 0 });
        // One that was begun and never recorded is followed as well.
        const refunds = await due.take("refund", 10, 60_000);
        expect(refunds.map(({ subject }) => subject).sort()).toEqual(["RF-2", "RF-4"]);

        expect(await followedRefunds.byRecord(4)).toEqual(new Map([[77, "RF-1"]]));
        expect([...(await followedRefunds.ends(["RF-1", "RF-2", "RF-3"]))]).toEqual(
          expect.arrayContaining([
            ["RF-1", "recorded"],
            ["RF-2", "open"],
            ["RF-3", "failed"],
          ]),
        );
        expect(await outgoingRefunds.ofOrder(4)).toMatchObject([
          { recordId: 5, state: "calling", refundId: null, deleted: false, idempotencyKey: "key-5" },
          { recordId: 6, state: "completed", refundId: "RF-2", deleted: true, amountMinor: 200n },
        ]);
        await expect(
          outgoingRefunds.begin({
            recordId: 9,
            storeOrderId: 4,
            tillgateOrderId: "POS-5",
            trxId: "TRX-5",
            idempotencyKey: "key-5",
            reference: "4 key-5",
            reason: "Broken",
            amountMinor: 1n,
            currency: "EUR",
          }),
        ).rejects.toThrow();
        expect([await events.isDone("evt_1"), await events.isDone("evt_2")]).toEqual([true, false]);
        expect([await claims.take("held", 1), (await claims.take("over", 1)) === null]).toEqual([
          null,
          false,
        ]);
        expect(await cursors.read("changes")).toBe("then");
        const [report] = await health.reports();
        expect(report?.ageMs).toBeGreaterThanOrEqual(60_000);
        expect(report?.ageMs).toBeLessThan(120_000);
        expect(await health.problems(10)).toMatchObject([{ kind: "mismatch", times: 2 }]);
        expect(await requests.count("somebody", 60_000)).toMatchObject({ count: 10 });
        // What the database itself refuses is refused as before.
        const wrong = newPayment(9, { currency: "euro" });
        await expect(payments.start(wrong)).rejects.toThrow();
        await expect(payments.start(newPayment(9, { amountMinor: 0n }))).rejects.toThrow();
        const { id } = await payments.start(newPayment(9));
        await expect(payments.settled(id, "paid", "TRX-9")).rejects.toThrow();
      },
    );
  });

  it("that has the first migration only gets what it misses", async () => {
    await withUpgraded(
      kind,
      kind.names.slice(0, 1),
      async () => undefined,
      async ({ payments, requests }) => {
        await payments.start(newPayment(1));
        expect(await payments.count()).toEqual({ underWay: 1, givenUp: 0 });
        expect(await requests.count("somebody", 60_000)).toMatchObject({ count: 1 });
      },
    );
  });
});

it("a PostgreSQL database of the version before keeps how far the store was read", async () => {
  const { PostgreSQL } = kinds;
  if (PostgreSQL === undefined) throw new Error("there is none");
  await withUpgraded(
    PostgreSQL,
    PostgreSQL.names.slice(0, 1),
    (run) => run("INSERT INTO cursors VALUES ('demo', '2026-11-21T12:34:56+01:00')"),
    async ({ cursors }) => {
      expect(await cursors.read("changes")).toBe("2026-11-21T11:34:56.000Z");
    },
  );
});
