import pg from "pg";
import { call, createOrder, originOf, textOf } from "./calls.js";
import { payDirectly } from "./direct-calls.js";
import type { BenchMerchant } from "./parties.js";
import type { System } from "./system.js";

/** How far the refunds of a merchant lie apart, the first from the last. */
const DAYS = 180;

/**
 * Gives a merchant many refunds, past the triggers: one by one they would take minutes. Only a list may look at them;
 * their transfers do not exist.
 */
export async function addRefunds(system: System, merchant: BenchMerchant, count: number): Promise<void> {
  const made = await call(originOf(system), createOrder(merchant));
  const orderId = textOf(made, "order_id");
  const [shopper] = system.shoppers;
  if (!shopper) throw new Error("The bench has no shopper.");
  await payDirectly(system.pool, orderId, shopper);
  const client = new pg.Client({ connectionString: system.ownerUrl });
  await client.connect();
  try {
    await client.query("ALTER TABLE refunds DISABLE TRIGGER USER");
    await client.query("ALTER TABLE refunds DROP CONSTRAINT IF EXISTS refunds_transfer_id_mode_fkey");
    await client.query(
      `INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, created_at, settled_at, transfer_id, payer_amount)
       SELECT 'RF-' || left($1::text, 8) || '-' || lpad(upper(to_hex(n)), 6, '0'), 'sandbox', $1::uuid, $2, 1, 'EUR', 'completed',
         now() - (n * $3::float8 / $4::int) * interval '1 day', clock_timestamp(), gen_random_uuid(), 1
       FROM generate_series(1, $4::int) n`,
      [merchant.id, orderId, DAYS, count],
    );
    await client.query("ALTER TABLE refunds ENABLE TRIGGER USER");
    for (const [counter, part] of [
      ["day_counts", "(created_at AT TIME ZONE 'UTC')::date"],
      ["span_counts", "span_of(created_at)"],
    ])
      await client.query(
        `INSERT INTO ${counter} SELECT merchant_id, mode, 'refund', ${part}, status::text, count(*)
         FROM refunds WHERE merchant_id = $1 GROUP BY merchant_id, mode, ${part}, status`,
        [merchant.id],
      );
    await client.query(
      `INSERT INTO day_sums SELECT merchant_id, mode, 'refund', (created_at AT TIME ZONE 'UTC')::date, status::text, currency, sum(amount)
       FROM refunds WHERE merchant_id = $1 GROUP BY 1, 2, 4, 5, 6`,
      [merchant.id],
    );
    await client.query("VACUUM ANALYZE refunds, orders, day_counts");
  } finally {
    await client.end();
  }
}
