import { randomUUID } from "node:crypto";
import { proveLedger } from "@tillgate/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REDATE_BOOKS } from "../../../../../scripts/testing/administration.js";
import { prune } from "../../../src/jobs/prune.js";
import { waitForLockContention } from "../../support/lock-contention.js";
import { ADMINISTRATOR } from "../../support/partner.js";
import { openSandbox, type Sandbox } from "../outbox/support/sandbox.js";

let sandbox: Sandbox;
let merchantId: string;
beforeAll(async () => {
  sandbox = await openSandbox();
  const { client_id: clientId } = sandbox.access.merchant;
  ({ merchantId } = await sandbox.database.prisma.credential.findFirstOrThrow({ where: { clientId } }));
});
afterAll(() => sandbox.drop());

/**
 * SQL call that refunds the payment of an order `o`. $1: the refund's ID. $2: the amount in minor units, or
 * null for the rest. $3: the transfer's ID.
 */
const REFUND = `refund_payments(ARRAY[$1], ARRAY[o.merchant_id], ARRAY[o.mode], ARRAY[o.trx_id], ARRAY[$2::bigint], '{NULL}', '{NULL}',
  ARRAY[$3::uuid], '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}')`;
const config = { attemptRetentionDays: 30, eventRetentionDays: 400, requestRetentionDays: 7 };
const run = (batch?: number) =>
  prune({ pool: sandbox.database.pool, config, ...(batch !== undefined && { batch }) });
const query = async (sql: string, parameters: unknown[] = []) =>
  (await sandbox.database.pool.query<Record<string, unknown>>(sql, parameters)).rows;

/** Runs statements without triggers, as when a backup is restored. */
async function withoutTriggers(...statements: [sql: string, parameters?: unknown[]][]): Promise<void> {
  const client = await sandbox.database.pool.connect();
  try {
    await client.query("SET ROLE NONE");
    await client.query("SET session_replication_role = replica");
    for (const [sql, parameters] of statements) await client.query(sql, parameters);
  } finally {
    client.release(true);
  }
}

/** Creates an order paid this many days ago, with an event and a delivery attempt of that time. */
async function paidDaysAgo(
  days: number,
  status = "delivered",
): Promise<{ order: string; event: string; delivery: string }> {
  const order = await sandbox.createOrder({ callbackUrl: "https://shop.example.com/hook" });
  await sandbox.payOrder(order);
  const [found] = await query(
    "SELECT e.id AS event, d.id AS delivery FROM events e JOIN deliveries d ON d.event_id = e.id WHERE e.order_id = $1",
    [order],
  );
  const ids = { order, event: String(found?.event), delivery: String(found?.delivery) };
  await query(
    `INSERT INTO attempts (delivery_id, number, started_at, latency_ms, http_status, request_headers)
     VALUES ($1, 1, clock_timestamp() - $2 * interval '1 day', 20, 200, '{}')`,
    [ids.delivery, days],
  );
  await query(
    "UPDATE deliveries SET status = $2::delivery_status, attempt_count = 1, settled_at = CASE WHEN $2 IN ('delivered', 'failed') THEN clock_timestamp() END WHERE id = $1",
    [ids.delivery, status],
  );
  const ago = "- $2 * interval '1 day'";
  await withoutTriggers(
    [`UPDATE events SET created_at = created_at ${ago} WHERE id = $1`, [ids.event, days]],
    [`UPDATE orders SET paid_at = paid_at ${ago} WHERE id = $1`, [order, days]],
    [REDATE_BOOKS],
  );
  return ids;
}

const remaining = async ({ event, delivery }: { event: string; delivery: string }) => {
  const [row] = await query(
    `SELECT (SELECT count(*)::int FROM events WHERE id = $1) AS events, (SELECT count(*)::int FROM deliveries WHERE id = $2) AS deliveries,
       (SELECT count(*)::int FROM attempts WHERE delivery_id = $2) AS attempts`,
    [event, delivery],
  );
  return row;
};

describe("pruning", () => {
  it("deletes request log entries past retention in batches, and none within retention", async () => {
    const call = (days: number) =>
      query(
        "INSERT INTO api_requests (merchant_id, mode, at, method) VALUES ($1, 'sandbox', now() - make_interval(days => $2), 'GET')",
        [merchantId, days],
      );
    for (const days of [9, 8, 8, 6, 0]) await call(days);
    const counted = async () => (await query("SELECT count(*)::int AS count FROM api_requests"))[0]?.count;
    await run(2);
    expect(await counted()).toBe(3);
    await run();
    expect(await counted()).toBe(2);
    await run();
    expect(await counted()).toBe(2);
  });

  it("deletes attempts and events past retention, but nothing newer or pending", async () => {
    const young = await paidDaysAgo(29);
    const attemptOld = await paidDaysAgo(31);
    const almost = await paidDaysAgo(399);
    const old = await paidDaysAgo(401);
    const waiting = [
      await paidDaysAgo(401, "pending"),
      await paidDaysAgo(401, "queued"),
      await paidDaysAgo(401, "held"),
    ];
    await run();
    expect(await remaining(young)).toEqual({ events: 1, deliveries: 1, attempts: 1 });
    expect(await remaining(attemptOld)).toEqual({ events: 1, deliveries: 1, attempts: 0 });
    expect(await remaining(almost)).toEqual({ events: 1, deliveries: 1, attempts: 0 });
    expect(await remaining(old)).toEqual({ events: 0, deliveries: 0, attempts: 0 });
    for (const one of waiting)
      expect(await remaining(one)).toEqual({ events: 1, deliveries: 1, attempts: 1 });

    const proof = await proveLedger(sandbox.url);
    expect(proof.rules.flatMap(({ violations }) => violations)).toEqual([]);

    // An order whose event is deleted can still be partially refunded.
    await query(`SELECT ${REFUND} FROM orders o WHERE id = $4`, [
      `RF-${randomUUID()}`,
      100,
      randomUUID(),
      old.order,
    ]);
    expect((await proveLedger(sandbox.url)).sound).toBe(true);
  });

  it("lets refunds that need approval be created, approved and rejected after the payment's event is deleted", async () => {
    const { order } = await paidDaysAgo(401);
    const refund = (amount: number | null) =>
      query(
        `SELECT (made.result).id, (made.result).status FROM orders o,
           ${REFUND} made WHERE o.id = $4`,
        [`RF-${randomUUID()}`, amount, randomUUID(), order],
      );
    const decide = (id: unknown, approve: boolean) =>
      query(`SELECT status FROM decide_refund($1, $2, $3, ${ADMINISTRATOR}, NULL)`, [
        id,
        approve,
        randomUUID(),
      ]);
    await query("UPDATE merchants SET refunds_need_approval = true WHERE id = $1", [merchantId]);
    // This refund was pending before the event was pruned.
    const [early] = await refund(100);
    await run();
    expect(await query("SELECT FROM events WHERE order_id = $1", [order])).toEqual([]);
    try {
      const [rejected] = await refund(100);
      expect(rejected).toMatchObject({ status: "pending" });
      expect(await decide(rejected?.id, false)).toEqual([{ status: "failed" }]);
      expect(await decide(early?.id, true)).toEqual([{ status: "completed" }]);
      const [rest] = await refund(null);
      expect(await decide(rest?.id, true)).toEqual([{ status: "completed" }]);
    } finally {
      await query("UPDATE merchants SET refunds_need_approval = false WHERE id = $1", [merchantId]);
    }
    expect(await query("SELECT state FROM orders WHERE id = $1", [order])).toEqual([{ state: "REFUNDED" }]);
    expect((await proveLedger(sandbox.url)).rules.flatMap(({ violations }) => violations)).toEqual([]);
  });

  it("allows changes that create no event, regardless of the row's age", async () => {
    const { order } = await paidDaysAgo(401);
    await query(`SELECT ${REFUND} FROM orders o WHERE id = $4`, [
      `RF-${randomUUID()}`,
      null,
      randomUUID(),
      order,
    ]);
    await withoutTriggers(
      ["UPDATE events SET created_at = created_at - interval '401 days' WHERE order_id = $1", [order]],
      [
        `INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, currency, change, amount)
         SELECT merchant_id, mode, 'refund', five_minutes_of(created_at - days * interval '1 day'), status::text, currency, change, change * amount
         FROM refunds, (VALUES (0, -1), (401, 1)) AS moved (days, change) WHERE order_id = $1`,
        [order],
      ],
      [
        "UPDATE refunds SET created_at = created_at - interval '401 days', settled_at = settled_at - interval '401 days' WHERE order_id = $1",
        [order],
      ],
      [REDATE_BOOKS],
      [
        "UPDATE deliveries SET status = 'delivered', settled_at = now() WHERE event_id IN (SELECT id FROM events WHERE order_id = $1)",
        [order],
      ],
    );
    await run();
    expect(await query("SELECT FROM events WHERE order_id = $1", [order])).toEqual([]);
    expect(
      await query("UPDATE refunds SET status = status WHERE order_id = $1 RETURNING status", [order]),
    ).toEqual([{ status: "completed" }]);
    expect((await proveLedger(sandbox.url)).sound).toBe(true);
  });

  it("deletes in batches, and reports whether more rows remain", async () => {
    for (const status of ["pending", "held"]) await paidDaysAgo(402, status);
    for (let i = 0; i < 5; i += 1) await paidDaysAgo(401);
    expect((await run(2)).more).toBe(true);
    while ((await run(2)).more);
    expect(
      await query(
        "SELECT id FROM events e WHERE created_at < now() - interval '400 days' AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id AND d.settled_at IS NULL)",
      ),
    ).toEqual([]);
  });

  it("skips an event that another transaction has locked", async () => {
    const old = await paidDaysAgo(401);
    const holder = await sandbox.database.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query(
        "SELECT FROM events e JOIN deliveries d ON d.event_id = e.id WHERE e.id = $1 FOR UPDATE",
        [old.event],
      );
      await query("SET LOCAL lock_timeout = '2s'; SELECT prune_events(400, 100)");
    } finally {
      await holder.query("ROLLBACK");
      holder.release();
    }
    expect(await remaining(old)).toMatchObject({ events: 1 });
    await run();
    expect(await remaining(old)).toMatchObject({ events: 0 });
  });

  it("waits for a transaction that resends an event's delivery, and then keeps the event", async () => {
    const old = await paidDaysAgo(401);
    const holder = await sandbox.database.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("UPDATE deliveries SET status = 'pending', settled_at = NULL WHERE id = $1", [
        old.delivery,
      ]);
      const pruned = query("SELECT prune_events(400, 100)");
      await waitForLockContention(sandbox);
      await holder.query("COMMIT");
      await pruned;
    } finally {
      await holder.query("ROLLBACK");
      holder.release();
    }
    expect(await remaining(old)).toMatchObject({ events: 1, deliveries: 1 });
    await query("UPDATE deliveries SET status = 'delivered', settled_at = clock_timestamp() WHERE id = $1", [
      old.delivery,
    ]);
    await run();
  });

  it("runs in one process at a time", async () => {
    const old = await paidDaysAgo(401);
    const other = await sandbox.database.pool.connect();
    try {
      await other.query("BEGIN");
      await other.query("SELECT pg_advisory_xact_lock(hashtext('tillgate pruning'))");
      expect(await run()).toEqual({ deleted: 0, more: false });
      expect(await remaining(old)).toMatchObject({ events: 1 });
      await other.query("COMMIT");
    } finally {
      other.release(true);
    }
    await run();
    expect(await remaining(old)).toMatchObject({ events: 0 });
  });

  it("deletes timeline entries, delivery lanes, lookup tokens, sessions and e-mailed links past their retention, and no newer ones", async () => {
    const [user] = await query("SELECT id FROM wallet_users WHERE mode = 'sandbox' LIMIT 1");
    for (const days of [6, 8])
      await query(
        `WITH t AS (INSERT INTO lookup_tokens (id, merchant_id, mode, wallet_user_id, expires_at)
           VALUES (gen_random_uuid(), $1, 'sandbox', $2, now() - $3 * interval '1 day'))
         INSERT INTO wallet_sessions (id, mode, wallet_user_id, token_hash, expires_at)
           VALUES (gen_random_uuid(), 'sandbox', $2, sha256($3::text::bytea), now() - $3 * interval '1 day')`,
        [merchantId, user?.id, days],
      );
    for (const days of [6, 8])
      await query(
        `INSERT INTO console_sessions (id, user_id, token_hash, expires_at, client_network, browser)
           SELECT gen_random_uuid(), id, sha256($1::int::text::bytea), now() - $1::int * interval '1 day', '', ''
           FROM console_users WHERE role = 'merchant'`,
        [days],
      );
    for (const days of [6, 8])
      await query(
        `INSERT INTO console_links (id, kind, user_id, token_hash, expires_at)
           SELECT gen_random_uuid(), 'password', id, sha256($1::int::text::bytea), now() - $1::int * interval '1 day'
           FROM console_users WHERE role = 'merchant'`,
        [days],
      );
    for (const days of [399, 401])
      await query(
        "INSERT INTO timeline_entries (merchant_id, mode, kind, details, created_at) VALUES ($1, 'sandbox', 'receiver.warning', '{}', now() - $2 * interval '1 day')",
        [merchantId, days],
      );
    for (const days of [29, 31])
      await query(
        "INSERT INTO delivery_lanes (id, answers, changed_at) VALUES (gen_random_uuid(), true, now() - $1 * interval '1 day')",
        [days],
      );
    expect(await run()).toEqual({ deleted: 6, more: false });
    const [rows] = await query(
      "SELECT (SELECT count(*)::int FROM lookup_tokens) AS tokens, (SELECT count(*)::int FROM wallet_sessions) AS sessions, (SELECT count(*)::int FROM console_sessions) AS consoles, (SELECT count(*)::int FROM console_links) AS links, (SELECT count(*)::int FROM timeline_entries) AS entries, (SELECT count(*)::int FROM delivery_lanes) AS lanes",
    );
    expect(rows).toEqual({ tokens: 1, sessions: 1, consoles: 1, links: 1, entries: 1, lanes: 1 });
  });

  it.each([
    ["backup_reports", "INSERT INTO backup_reports (id, finished_at) VALUES (gen_random_uuid(), $1)"],
    [
      "ledger_proofs",
      "INSERT INTO ledger_proofs (id, requested_at, started_at, finished_at, sound) VALUES (gen_random_uuid(), $1, $1, $1, true)",
    ],
  ])("deletes old %s, but never the newest row, whose age is monitored", async (table, insert) => {
    await query(`DELETE FROM ${table}`);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    for (const days of [91, 92, 93]) await query(insert, [daysAgo(days)]);
    const dates = async () =>
      (await query(`SELECT finished_at FROM ${table} ORDER BY finished_at`)).map(
        ({ finished_at }) => finished_at,
      );
    const [, , newest] = await dates();
    await run();
    expect(await dates()).toEqual([newest]);
    await query(insert, [daysAgo(1)]);
    await run();
    expect(await dates()).toHaveLength(1);
  });

  it("deletes old unconfirmed bulk payouts with their lines, but no others", async () => {
    for (const [days, confirmed] of [
      [29, false],
      [31, false],
      [31, true],
    ] as const)
      await query(
        `WITH made AS (
           INSERT INTO payout_batches (id, merchant_id, mode, name, created_by_id, created_at, confirmed_at, confirmed_by_id, request_id)
           SELECT gen_random_uuid(), $1, 'sandbox', 'wages', id, now() - $2 * interval '1 day',
             CASE WHEN $3 THEN now() END, CASE WHEN $3 THEN id END, CASE WHEN $3 THEN 'req_1' END
           FROM console_users WHERE role = 'merchant' LIMIT 1 RETURNING id)
         INSERT INTO payout_batch_lines (batch_id, number, merchant_id, mode, recipient, amount, sender_currency, receiver_currency, reference)
           SELECT id, 2, $1, 'sandbox', 'a@example.com', 1, 'EUR', 'EUR', 'W-1' FROM made`,
        [merchantId, days, confirmed],
      );
    expect(await run()).toEqual({ deleted: 1, more: false });
    const [left] = await query("SELECT count(*)::int AS lines FROM payout_batch_lines");
    expect(left).toEqual({ lines: 2 });
    await query("DELETE FROM payout_batches");
  });

  it("deletes unused expired quotes of payouts and shoppers, and keeps used quotes", async () => {
    const [user] = await query(
      "SELECT wallet_user_id AS id, id AS account FROM accounts WHERE mode = 'sandbox' AND currency = 'USD' AND kind = 'shopper' LIMIT 1",
    );
    const order = await sandbox.createOrder({});
    for (const [days, used] of [
      [6, false],
      [8, false],
      [8, true],
    ] as const) {
      const usedAt = used ? "now() - interval '8 days'" : "NULL";
      await withoutTriggers(
        [
          `INSERT INTO quotes (id, merchant_id, mode, wallet_user_id, amount, sender_currency, fee, rate, receiver_amount, receiver_currency, expires_at, used_at)
           VALUES (gen_random_uuid(), $1, 'sandbox', $2, 100, 'EUR', 0, 1, 100, 'EUR', now() - $3 * interval '1 day', ${usedAt})`,
          [merchantId, user?.id, days],
        ],
        [
          `INSERT INTO shopper_quotes (id, mode, order_id, wallet_user_id, account_id, payer_currency, payer_amount, rate, expires_at, used_at)
           VALUES (gen_random_uuid(), 'sandbox', $1, $2, $3, 'USD', 100, 1, now() - $4 * interval '1 day', ${usedAt})`,
          [order, user?.id, user?.account, days],
        ],
      );
    }
    expect(await run()).toEqual({ deleted: 2, more: false });
    for (const table of ["quotes", "shopper_quotes"])
      expect(
        await query(`SELECT round(extract(epoch FROM now() - expires_at) / 86400)::int AS days, used_at IS NOT NULL AS used
                     FROM ${table} ORDER BY 1`),
      ).toEqual([
        { days: 6, used: false },
        { days: 8, used: true },
      ]);
  });
});

describe("database after pruning", () => {
  it("rejects deleting an event that is not older than the recorded pruning time, and moving that time back or into the last 30 days", async () => {
    const { event } = await paidDaysAgo(399);
    const expectRejected = async (sql: string) =>
      expect(
        await sandbox.database.pool.query(sql).then(
          () => "done",
          (error: { code: string }) => error.code,
        ),
      ).toBe("TG090");
    await expectRejected(`DELETE FROM events WHERE id = '${event}'`);
    await withoutTriggers([
      "UPDATE events SET created_at = (SELECT pruned_before FROM event_retention) WHERE id = $1",
      [event],
    ]);
    await expectRejected(`DELETE FROM events WHERE id = '${event}'`);
    await expectRejected("UPDATE event_retention SET pruned_before = clock_timestamp() - interval '29 days'");
    await expectRejected("UPDATE event_retention SET pruned_before = pruned_before - interval '1 second'");
    await expectRejected("DELETE FROM event_retention");
    await expectRejected("INSERT INTO event_retention (id, pruned_before) VALUES (2, '2001-01-01')");
    await expectRejected("SET ROLE tillgate; TRUNCATE event_retention");
    await expectRejected("SELECT prune_events(29, 10)");
    for (const days of [30, 31]) await query("SELECT prune_events($1, 10)", [days]);
  });

  it("finds old rows by index", async () => {
    const client = await sandbox.database.pool.connect();
    try {
      await client.query("SET enable_seqscan = off");
      for (const [sql, index] of [
        [
          "SELECT id FROM attempts WHERE started_at < now() - interval '30 days' ORDER BY started_at LIMIT 10",
          "attempts_started_at_idx",
        ],
        [
          "SELECT id FROM events WHERE created_at < now() - interval '400 days' ORDER BY created_at LIMIT 10",
          "events_created_at_idx",
        ],
        [
          "SELECT id FROM timeline_entries WHERE created_at < now() - interval '400 days' ORDER BY created_at LIMIT 10",
          "timeline_entries_created_at_idx",
        ],
        [
          "SELECT id FROM quotes WHERE expires_at < now() - interval '7 days' AND used_at IS NULL ORDER BY expires_at LIMIT 10",
          "quotes_unused",
        ],
        [
          "SELECT id FROM shopper_quotes WHERE expires_at < now() - interval '7 days' AND used_at IS NULL ORDER BY expires_at LIMIT 10",
          "shopper_quotes_unused",
        ],
      ] as const) {
        const { rows } = await client.query<Record<"QUERY PLAN", string>>(`EXPLAIN ${sql}`);
        expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain(index);
      }
    } finally {
      client.release(true);
    }
  });
});
