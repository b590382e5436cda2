import { generateSecret, hashSecret } from "@tillgate/database";
import { withConnection } from "@tillgate/migrate";
import pg from "pg";
import { call, createOrder, getOrigin, readText } from "./calls.js";
import { payDirectly } from "./direct-calls.js";
import type { BenchMerchant } from "./parties.js";
import type { System } from "./system.js";

const DAYS = 180;

/** Inserts refunds without triggers, which would take minutes. The refunds have no transfers, so only lists can read them. */
export async function addRefunds(system: System, merchant: BenchMerchant, count: number): Promise<void> {
  const order = await call(getOrigin(system), createOrder(merchant));
  const orderId = readText(order, "order_id");
  const [shopper] = system.shoppers;
  if (!shopper) throw new Error("The benchmark has no shopper.");
  await payDirectly(system.pool, orderId, shopper);
  await insertWithoutTriggers(system, { table: "refunds", kind: "refund", merchant }, async (client) => {
    await client.query("ALTER TABLE refunds DROP CONSTRAINT IF EXISTS refunds_transfer_id_mode_fkey");
    await client.query(
      `INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, created_at, settled_at, transfer_id, payer_amount)
       SELECT 'RF-' || left($1::text, 8) || '-' || lpad(upper(to_hex(n)), 6, '0'), 'sandbox', $1::uuid, $2, 1, 'EUR', 'completed',
         now() - (n * $3::float8 / $4::int) * interval '1 day', clock_timestamp(), gen_random_uuid(), 1
       FROM generate_series(1, $4::int) n`,
      [merchant.id, orderId, DAYS, count],
    );
  });
}

/** Inserts unpaid orders without triggers. One in ten is cancelled, the rest are expired. */
export const addOrders = (system: System, merchant: BenchMerchant, count: number): Promise<void> =>
  insertWithoutTriggers(system, { table: "orders", kind: "order", merchant }, async (client) => {
    await client.query(
      `INSERT INTO orders (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, status, state, reference,
         created_at, expires_at)
       SELECT 'POS-' || left($1::text, 8) || '-' || lpad(upper(to_hex(n)), 6, '0'), gen_random_uuid()::text, 'sandbox', $1::uuid,
         (SELECT id FROM credentials WHERE merchant_id = $1::uuid AND mode = 'sandbox' LIMIT 1), 100 + n % 9900, 'EUR', 'both',
         CASE WHEN n % 10 = 0 THEN 'CANCELLED' ELSE 'EXPIRED' END::order_status,
         CASE WHEN n % 10 = 0 THEN 'CANCELLED' ELSE 'EXPIRED' END::order_state, 'order ' || n,
         now() - (n * $2::float8 / $3::int) * interval '1 day', now() - (n * $2::float8 / $3::int) * interval '1 day'
       FROM generate_series(1, $3::int) n`,
      [merchant.id, DAYS, count],
    );
  });

type List = { table: "refunds" | "orders"; kind: "refund" | "order"; merchant: BenchMerchant };

/** Inserts rows without running triggers, then rebuilds the merchant's counters from all of its rows. */
async function insertWithoutTriggers(
  { ownerUrl }: System,
  { table, kind, merchant }: List,
  write: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await write(client);
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    for (const counter of ["count_deltas", "day_counts", "span_counts", "day_sums", "quarter_hour_sums"])
      await client.query(`DELETE FROM ${counter} WHERE merchant_id = $1 AND kind = $2`, [merchant.id, kind]);
    const day = "(created_at AT TIME ZONE 'UTC')::date";
    for (const [counter, group, sum] of [
      ["day_counts", `${day}, status::text`, "count(*)"],
      ["span_counts", "span_of(created_at), status::text", "count(*)"],
      ["day_sums", `${day}, status::text, currency`, "sum(amount)"],
      ["quarter_hour_sums", "quarter_hour_of(created_at), status::text, currency", "count(*), sum(amount)"],
    ])
      await client.query(
        `INSERT INTO ${counter} SELECT merchant_id, mode, $2, ${group}, ${sum}
         FROM ${table} WHERE merchant_id = $1 GROUP BY merchant_id, mode, ${group}`,
        [merchant.id, kind],
      );
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

/** Vacuums and analyses the filled tables, as autovacuum does within minutes. */
export async function settleTables({ ownerUrl }: System): Promise<void> {
  await withConnection({ connectionString: ownerUrl }, (client) =>
    client.query("VACUUM ANALYZE refunds, orders, day_counts"),
  );
}

/** Creates a console session of the sandbox administrator, who can see every merchant. @returns the session token. */
export async function signInToConsole({ pool, sandbox }: System): Promise<string> {
  const token = generateSecret("tgc_");
  await pool.query(
    `INSERT INTO console_sessions (id, user_id, token_hash, expires_at, signed_in_at, client_network, browser)
     SELECT gen_random_uuid(), id, $1, clock_timestamp() + interval '1 hour', clock_timestamp(), '192.0.2.1', 'bench'
     FROM console_users WHERE email = $2`,
    [hashSecret(token), sandbox.administrator.email],
  );
  return token;
}
