import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callGroup, callRows } from "../../src/functions/ledger-function.js";
import { expireDueOrders, payOrders, refundPayments } from "../../src/ledger.js";
import {
  cancelOrder,
  createOrder,
  expireOrder,
  paidOrder,
  paymentItem,
  payOrder,
  refundItem,
  refundPayment,
} from "../ledger-calls.js";
import { openSandboxDatabase, record, type SandboxDatabase } from "../sandbox-database.js";
import { executePayout, settlePayout } from "./payouts/payout-calls.js";

/** PostgreSQL caches a generic plan at the sixth execution. */
const EXECUTIONS = 6;
/** Far more rows than one execution of every operation reads by index. */
const ROWS = 2_000;

const copyOf = (table: string, changes: string): string =>
  `SELECT (jsonb_populate_record(one, jsonb_build_object(${changes}))).* FROM ${table} AS one, many
   WHERE one.id = (SELECT max(id) FROM ${table} WHERE transfer_id IS NOT NULL)`;
/** Tables that grow with every payment, refund, payout, merchant or shopper, and how to fill them. */
const GROWING = {
  merchants: `SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid()))).* FROM merchants AS one, many
    WHERE one.id = (SELECT id FROM merchants LIMIT 1)`,
  wallet_users: `SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'email', n, 'phone', NULL, 'open_in', NULL))).*
    FROM wallet_users AS one, many WHERE one.id = (SELECT id FROM wallet_users WHERE test_of_merchant_id IS NULL LIMIT 1)`,
  transfers: "(id, mode, kind) SELECT gen_random_uuid(), 'sandbox', 'payment' FROM many",
  entries: `(transfer_id, account_id, mode, currency, amount)
    SELECT gen_random_uuid(), gen_random_uuid(), 'sandbox', 'EUR', 1 FROM many`,
  idempotency_keys: `(merchant_id, mode, operation, key, request_hash, resource_id)
    SELECT gen_random_uuid(), 'sandbox', 'create_order', n, '', n FROM many`,
  accounts: `(id, mode, currency, kind, wallet_user_id, balance)
    SELECT gen_random_uuid(), 'sandbox', 'EUR', 'shopper', gen_random_uuid(), 0 FROM many`,
  orders: copyOf("orders", "'id', n, 'token', n, 'trx_id', n, 'transfer_id', gen_random_uuid()"),
  events: `(id, mode, merchant_id, name, payout_id, body)
    SELECT n, 'sandbox', gen_random_uuid(), 'payout.completed', n, '{}' FROM many`,
  refunds: copyOf("refunds", "'id', n, 'order_id', n, 'transfer_id', gen_random_uuid()"),
  payouts: copyOf(
    "payouts",
    "'id', n, 'reference', n, 'trx_id', n, 'transfer_id', gen_random_uuid(), 'hold_transfer_id', NULL, 'status', 'completed'",
  ),
};

let database: SandboxDatabase;
beforeAll(async () => {
  database = await openSandboxDatabase(1);
});
afterAll(() => database.drop());

async function executeAll(): Promise<void> {
  const wallet = record(record(database.shoppers, "Amélie"), "EUR");
  const paid = await payOrder(database, await createOrder(database, { key: randomUUID() }), wallet);
  await refundPayment(database, paid, { amount: 1n, key: randomUUID() });
  const more = [await paidOrder(database), await paidOrder(database)];
  const orders = [await createOrder(database), await createOrder(database)];
  await callGroup(
    database.pool,
    payOrders,
    orders.map((order) => paymentItem(order, { payerAccountId: wallet })),
  );
  await callGroup(
    database.pool,
    refundPayments,
    more.map((order) => refundItem(database, order)),
  );
  await cancelOrder(database, await createOrder(database));
  await expireOrder(database, await createOrder(database));
  await callRows(database.pool, expireDueOrders, { limit: 1 });
  await executePayout(database);
  for (const approve of [true, false])
    await settlePayout(database, (await executePayout(database, { waits: true })).id, approve);
}

/** Returns how many rows of each growing table were read so far. */
async function countRead(): Promise<Record<string, number>> {
  // The connection's statistics are published after this statement.
  await database.pool.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await database.pool.query<{ table: string; read: number }>(
    'SELECT relname AS "table", (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_user_tables WHERE relname = ANY ($1)',
    [Object.keys(GROWING)],
  );
  return Object.fromEntries(rows.map(({ table, read }) => [table, read]));
}

it("a connection that planned its writes and checks on small tables does not scan the tables after they have grown", async () => {
  await executeAll();
  await database.breaking(async (client) => {
    await client.query("ANALYZE");
  });
  for (let execution = 0; execution < EXECUTIONS; execution += 1) await executeAll();
  await database.breaking(async (client) => {
    for (const [table, copies] of Object.entries(GROWING))
      await client.query(
        `WITH many AS (SELECT n::text FROM generate_series(1, ${ROWS}) AS n) INSERT INTO ${table} ${copies}`,
      );
  });
  const before = await countRead();
  await executeAll();
  const after = await countRead();
  const scanned = Object.keys(GROWING).filter((table) => (after[table] ?? 0) - (before[table] ?? 0) >= ROWS);
  expect(scanned).toEqual([]);
});
