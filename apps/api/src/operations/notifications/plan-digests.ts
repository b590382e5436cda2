import type { Context } from "../../context.js";

/** Who wants to know what yesterday brought, by UTC. The unique key makes one mail of it, however often this runs. */
const SUMMARIES = `
  INSERT INTO digest_mails (topic, merchant_id, about, address)
  SELECT 'summary', s.merchant_id, s.merchant_id || ' ' || ((clock_timestamp() AT TIME ZONE 'UTC')::date - 1), s.address
  FROM mail_subscriptions s JOIN merchants m ON m.id = s.merchant_id
  WHERE s.topic = 'summary' AND m.suspended_at IS NULL
  ON CONFLICT DO NOTHING`;

/**
 * Administrators, and the addresses that merchants chose for it: once in an hour at most, and only when something waits that
 * came after the mail before.
 */
const APPROVALS = `
  WITH waiting AS (
    SELECT merchant_id, created_at FROM refunds WHERE status = 'pending'
    UNION ALL SELECT merchant_id, created_at FROM payouts WHERE status = 'pending'
    UNION ALL SELECT NULL, requested_at FROM approval_requests WHERE status = 'pending'
    UNION ALL SELECT NULL, requested_at FROM administrator_requests WHERE status = 'pending'),
  people AS (
    SELECT NULL::uuid AS merchant_id, email AS address FROM console_users WHERE role = 'administrator' AND disabled_at IS NULL
    UNION ALL SELECT merchant_id, address FROM mail_subscriptions WHERE topic = 'approvals')
  INSERT INTO digest_mails (topic, merchant_id, about, address)
  SELECT 'approvals', p.merchant_id, coalesce(p.merchant_id::text, 'house') || to_char(clock_timestamp() AT TIME ZONE 'UTC', ' YYYY-MM-DD HH24'), p.address
  FROM people p
  WHERE EXISTS (
    SELECT FROM waiting w WHERE (p.merchant_id IS NULL OR w.merchant_id = p.merchant_id) AND w.created_at > coalesce((
      SELECT max(d.created_at) FROM digest_mails d
      WHERE d.topic = 'approvals' AND d.address = p.address AND d.merchant_id IS NOT DISTINCT FROM p.merchant_id), '-infinity'))
  ON CONFLICT DO NOTHING`;

/** Plans the mails that are due: summaries of yesterday, and what waits for approval. @returns how many it planned. */
export async function planDigests({ database: { pool } }: Pick<Context, "database">): Promise<number> {
  let planned = 0;
  for (const statement of [SUMMARIES, APPROVALS]) planned += (await pool.query(statement)).rowCount ?? 0;
  return planned;
}
