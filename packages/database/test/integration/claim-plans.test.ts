import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimDeliveries } from "../../src/ledger.js";
import { openSandboxDatabase, type SandboxDatabase } from "../sandbox-database.js";

const WAITING = 100_000;
const RECEIVERS = 50;
/** Maximum pages of 8 KiB that a claim of 60 deliveries may read. Leasing a row reads about 30; reading the whole queue, 100,000. */
const PAGES = 5_000;
const BOUNDS = JSON.stringify(
  Object.fromEntries(
    ["prompt", "first", "careful", "slow"].map((name) => [
      name,
      { lane: 8, queue: 12, host: 100, merchant: 200 },
    ]),
  ),
);
const START = "00000000-0000-0000-0000-000000000000";

describe(`claim_deliveries with ${WAITING} queued deliveries for one of ${RECEIVERS} receivers`, () => {
  let database: SandboxDatabase;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    // Written without triggers: only the number and distribution of the rows matter here.
    await database.breaking(async (client) => {
      await client.query(
        `INSERT INTO events (id, mode, merchant_id, name, payout_id, body)
         SELECT 'event ' || n, 'sandbox', $1, 'payout.completed', 'payout ' || n, '{}' FROM generate_series(1, ${WAITING}) AS n`,
        [database.merchant.id],
      );
      await client.query(
        `INSERT INTO receivers (id, mode, merchant_id, address, events, secret_ciphertext, encryption_key_id)
         SELECT md5(n::text)::uuid, 'sandbox', $1, 'https://r' || n || '.example.com/hook', '{}', 'x', 'test'
         FROM generate_series(1, ${RECEIVERS}) AS n`,
        [database.merchant.id],
      );
      await client.query(
        `INSERT INTO deliveries (mode, event_id, merchant_id, receiver_id, queue_id, lane_id, address)
         SELECT 'sandbox', 'event ' || n, $1, r.id, r.id, r.id, 'https://r.example.com/hook'
         FROM generate_series(1, ${RECEIVERS}) AS k JOIN receivers r ON r.id = md5(k::text)::uuid
         CROSS JOIN LATERAL generate_series(1, CASE WHEN k = 7 THEN ${WAITING} ELSE 3 END) AS n`,
        [database.merchant.id],
      );
      await client.query("INSERT INTO delivery_lanes (id, answers) SELECT id, true FROM receivers");
      await client.query("ANALYZE");
    });
  }, 120_000);
  afterAll(() => database.drop());

  /** Claims once. @returns deliveries claimed per queue, and pages read. */
  async function claim(): Promise<{ got: number[]; pages: number }> {
    const worker = randomUUID();
    const { rows } = await database.pool.query<{ "QUERY PLAN": { Plan: Record<string, number> }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${claimDeliveries.sql}`,
      claimDeliveries.values({
        worker,
        leaseMs: 30_000,
        places: 60,
        carefulPlaces: 60,
        from: START,
        after: START,
        carefulAfter: START,
        bounds: BOUNDS,
      }),
    );
    const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
    const counted = await database.pool.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM deliveries WHERE leased_by = $1 GROUP BY queue_id",
      [worker],
    );
    return {
      got: counted.rows.map(({ n }) => n),
      pages: (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0),
    };
  }

  it("claims one delivery for each receiver before a second delivery for any receiver, and reads few pages", async () => {
    // The first claim plans the statement.
    const first = await claim();
    expect(first.got).toHaveLength(RECEIVERS);
    expect(first.got.reduce((sum, n) => sum + n, 0)).toBe(60);
    expect(Math.max(...first.got)).toBe(2);
    for (let i = 0; i < 3; i += 1) expect((await claim()).pages).toBeLessThan(PAGES);
  });

  it("claims nothing and reads few pages when the only receiver with queued deliveries is at its limit", async () => {
    for (let i = 0; i < 5; i += 1) await claim();
    const last = await claim();
    expect(last.got).toEqual([]);
    expect(last.pages).toBeLessThan(PAGES / 20);
  });
});
