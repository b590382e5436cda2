import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callOne } from "../../src/functions/ledger-function.js";
import { rollUpCounters } from "../../src/ledger.js";
import { proveLedger } from "../../src/prove-ledger.js";
import { cancelOrder, createOrder, paidOrder, refundPayment } from "../ledger-calls.js";
import { countOf, openSandboxDatabase, type SandboxDatabase } from "../sandbox-database.js";

let database: SandboxDatabase;
beforeAll(async () => {
  database = await openSandboxDatabase(20);
});
afterAll(async () => {
  const broken = await violations();
  await database.drop();
  expect(broken).toEqual([]);
});

const fold = (limit = 10_000, connection: Pick<pg.ClientBase, "query"> = database.pool): Promise<number> =>
  callOne(connection, rollUpCounters, { limit });
const waiting = (): Promise<number> => countOf(database, "count_deltas");
const violations = async () => (await proveLedger(database.url)).rules.flatMap((rule) => rule.violations);

/** Returns the daily and ten-minute counters of an order status, without changes that are not rolled up yet. */
async function folded(status: string): Promise<[days: number, spans: number]> {
  const { rows } = await database.pool.query<{ days: string; spans: string }>(
    `SELECT (SELECT coalesce(sum(count), 0) FROM day_counts WHERE kind = 'order' AND status = $1) AS days,
       (SELECT coalesce(sum(count), 0) FROM span_counts WHERE kind = 'order' AND status = $1) AS spans`,
    [status],
  );
  return [Number(rows[0]?.days), Number(rows[0]?.spans)];
}

/** Runs `work` in one transaction and rolls it back. */
async function undone(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN");
    await work(client);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

beforeEach(async () => {
  await fold();
  expect(await waiting()).toBe(0);
});

describe("count_deltas", () => {
  const deltas = async (client: pg.PoolClient) =>
    (
      await client.query<{ merchant_id: string; status: string; change: number }>(
        "DELETE FROM count_deltas RETURNING merchant_id, status, change",
      )
    ).rows;

  it("gets one row per merchant and state from a statement that creates or changes many orders", async () => {
    const { merchant, otherMerchant } = database;
    await undone(async (client) => {
      await client.query(
        `INSERT INTO orders (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, expires_at, created_at)
         SELECT 'set ' || n, gen_random_uuid(), 'sandbox', m.id, m.credential, 1, 'EUR', 'both', now(), now()
         FROM generate_series(1, 64) AS n JOIN (VALUES (0, $1::uuid, $2::uuid), (1, $3, $4)) AS m (rest, id, credential) ON m.rest = (n % 4 = 0)::int`,
        [merchant.id, merchant.credentialId, otherMerchant.id, otherMerchant.credentialId],
      );
      const inserted = await deltas(client);
      expect(inserted).toHaveLength(2);
      expect(inserted).toContainEqual({ merchant_id: merchant.id, status: "PENDING", change: 48 });
      expect(inserted).toContainEqual({ merchant_id: otherMerchant.id, status: "PENDING", change: 16 });
      await client.query(
        "UPDATE orders SET status = 'EXPIRED', state = 'EXPIRED', version = 2 WHERE id LIKE 'set %' AND merchant_id = $1",
        [merchant.id],
      );
      const changed = await deltas(client);
      expect(changed).toHaveLength(2);
      expect(changed).toContainEqual({ merchant_id: merchant.id, status: "PENDING", change: -48 });
      expect(changed).toContainEqual({ merchant_id: merchant.id, status: "EXPIRED", change: 48 });
    });
  });

  it("gets no row for an order whose state a refund leaves unchanged", async () => {
    const order = await paidOrder(database);
    await fold();
    await refundPayment(database, order, { amount: 1n });
    expect(await waiting()).toBe(1); // The refund's row.
  });

  it("is rolled back with its transaction", async () => {
    await undone(async (client) => {
      await createOrder(database, {}, client);
      expect((await client.query("SELECT FROM count_deltas")).rowCount).toBe(1);
    });
    expect(await waiting()).toBe(0);
  });
});

describe("roll_up_counters", () => {
  it("rolls up at most the given number of rows per call, and all rows after enough calls", async () => {
    for (let n = 0; n < 5; n += 1) await createOrder(database);
    const [days, spans] = await folded("PENDING");
    expect(await fold(2)).toBe(2);
    expect(await violations()).toEqual([]);
    expect(await fold(2)).toBe(2);
    expect(await fold(2)).toBe(1);
    expect(await fold(2)).toBe(0);
    expect(await folded("PENDING")).toEqual([days + 5, spans + 5]);
  });

  it("returns 0 immediately while another call is rolling up, and counts each row once", async () => {
    for (let n = 0; n < 3; n += 1) await createOrder(database);
    const [days, spans] = await folded("PENDING");
    await undone(async (client) => {
      expect(await fold(2, client)).toBe(2);
      expect(await fold(2)).toBe(0);
    });
    expect(await folded("PENDING")).toEqual([days, spans]);
    expect((await Promise.all([fold(), fold(), fold()])).toSorted()).toEqual([0, 0, 3]);
    expect(await folded("PENDING")).toEqual([days + 3, spans + 3]);
  });

  it("changes nothing if it is interrupted, and the next call rolls up the rows", async () => {
    await createOrder(database);
    const before = await folded("PENDING");
    const client = await database.pool.connect();
    const broken = new Promise((resolve) => client.once("error", resolve));
    await client.query("BEGIN");
    expect(await fold(10_000, client)).toBe(1);
    await client.query("SET LOCAL idle_in_transaction_session_timeout = '1ms'");
    await broken;
    client.release(true);
    expect(await waiting()).toBe(1);
    expect(await folded("PENDING")).toEqual(before);
    // The server reports the end of the session before it releases the session's lock.
    await expect.poll(() => fold()).toBe(1);
    expect(await folded("PENDING")).toEqual([before[0] + 1, before[1] + 1]);
  });

  it("keeps every total exact in each snapshot that a concurrent proof reads while orders change", async () => {
    let writing = true;
    const write = async () => {
      for (let n = 0; n < 15; n += 1) {
        const order = await paidOrder(database, { key: randomUUID() });
        await refundPayment(database, order, n % 2 ? { amount: 1n } : {});
        await cancelOrder(database, await createOrder(database));
      }
    };
    const whileWriting = async (work: () => Promise<unknown>) => {
      while (writing) await work();
    };
    const proved: string[] = [];
    const others = [fold, fold].map((one) => whileWriting(() => one(7)));
    others.push(whileWriting(async () => proved.push(...(await violations()))));
    await Promise.all([write(), write(), write()]).finally(() => {
      writing = false;
    });
    await Promise.all(others);
    expect(proved).toEqual([]);
    while ((await fold()) > 0);
    expect(await waiting()).toBe(0);
  });
});
