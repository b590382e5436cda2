import { type Database, openDatabase } from "@tillgate/database";
import { expect, it } from "vitest";
import { readCheckout } from "../../../src/checkout/read.js";
import type { Context } from "../../../src/context.js";
import { findPaidOrder, getOrder } from "../../../src/money/orders/read.js";
import { readPayoutFactsForGroup } from "../../../src/money/payouts/facts.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server, api, merchantId } = await createTestApi();

const openConnection = () =>
  openDatabase({
    url: sandbox.url,
    maxConnections: 1,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 10_000,
    onIdleError: (error) => expect.unreachable(error.message),
  });

const client = { merchantId, credentialId: "00000000-0000-0000-0000-000000000000", mode: "sandbox" } as const;

/** A context without cached groups, whose connection has no plans. */
const createContext = (database: Database): Context => ({
  ...server.context,
  database,
  memory: { ...server.context.memory, groupQueues: new Map() },
});

/** Returns the number of rows of a table that have been read so far. */
async function countRead({ pool }: Database, table: string): Promise<number> {
  // The connection's statistics are published after this statement.
  await pool.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await pool.query<{ read: number }>(
    "SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_user_tables WHERE relname = $1",
    [table],
  );
  return rows[0]?.read ?? 0;
}

it("a merchant's new reference is looked up by its index, even if the plan was made while the merchant had few payouts", async () => {
  const PAYOUTS = 2_000;
  const addPayouts = (first: number, count: number) =>
    sandbox.plantRows(`SET session_replication_role = replica;
      INSERT INTO payouts (id, mode, merchant_id, reference, wallet_user_id, recipient_account_id, amount, sender_currency, fee, rate,
        receiver_amount, receiver_currency, status, trx_id, transfer_id, processed_at)
      SELECT 'PO' || n, 'sandbox', '${merchantId}', n::text, gen_random_uuid(), gen_random_uuid(), 1, 'EUR', 0, 1, 1, 'EUR', 'completed', 'PP' || n,
        gen_random_uuid(), clock_timestamp()
      FROM generate_series(${first}, ${first + count - 1}) AS n`);
  const database = openConnection();
  const readReference = async (reference: string) => {
    const partner = { merchantId, mode: "sandbox" } as const;
    const [facts] = await readPayoutFactsForGroup({ database }, [{ partner, request: { reference } }]);
    return facts?.referenceTaken;
  };
  await addPayouts(1, 1);
  for (let round = 0; round < 6; round += 1) await readReference("new");
  await addPayouts(2, PAYOUTS);
  const before = await countRead(database, "payouts");
  expect([await readReference("new"), await readReference("17"), await readReference("1")]).toEqual([
    false,
    true,
    true,
  ]);
  expect((await countRead(database, "payouts")) - before).toBeLessThan(PAYOUTS);
  await database.close();
});

it("the payment of a busy merchant is looked up by its ID, even if the plan was made before the table had statistics", async () => {
  const ORDERS = 400;
  await createOrder(api);
  // Resets the statistics to those after CREATE TABLE, because the database's template was vacuumed.
  await sandbox.plantRows("UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE relname LIKE 'orders%'");
  const database = openConnection();
  const context = createContext(database);
  for (let round = 0; round < 6; round += 1) await findPaidOrder(context, client, "TRX-000000000000");
  await sandbox.plantRows(`SET session_replication_role = replica;
    INSERT INTO orders SELECT (jsonb_populate_record(NULL::orders, to_jsonb(one) || jsonb_build_object('id', 'P' || n, 'token', 'T' || n))).*
    FROM (SELECT * FROM orders WHERE merchant_id = '${merchantId}' LIMIT 1) AS one, generate_series(1, ${ORDERS}) AS n`);
  const before = await countRead(database, "orders");
  expect(await findPaidOrder(context, client, "TRX-000000000000")).toBeNull();
  expect((await countRead(database, "orders")) - before).toBeLessThan(ORDERS);
  await database.close();
});

it("grouped reads are planned five times, then use a cached plan regardless of the number of rows", async () => {
  const order = await createOrder(api);
  const database = openConnection();
  const context = createContext(database);
  for (let round = 0; round < 8; round += 1) {
    await getOrder(context, client, order.order_id);
    await findPaidOrder(context, client, "TRX-000000000000");
    await readCheckout(context, paymentTokenOf(order), undefined);
    await readPayoutFactsForGroup(
      context,
      Array.from({ length: 1 + round * 8 }, () => ({ partner: client, request: { sender_currency: "EUR" } })),
    );
  }
  const { rows } = await database.pool.query<{ name: string; custom: number; generic: number }>(
    "SELECT name, custom_plans::int AS custom, generic_plans::int AS generic FROM pg_prepared_statements",
  );
  await database.close();
  // PostgreSQL makes five custom plans before it considers a generic plan.
  expect(rows.filter(({ custom }) => custom > 0).sort((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: "checkouts", custom: 5, generic: 3 },
    { name: "orders of merchants by id", custom: 5, generic: 3 },
    { name: "orders of merchants by trx_id", custom: 5, generic: 3 },
    { name: "payout facts", custom: 5, generic: 3 },
  ]);
});
