/** SQL expression: ID of an active seeded administrator. */
export const ADMINISTRATOR =
  "(SELECT id FROM console_users WHERE role = 'administrator' AND disabled_at IS NULL ORDER BY created_at LIMIT 1)";

/**
 * Returns SQL that sets exchange rates, with one audit record per rate. @param rates query of mode, base, quote, rate, spread_percent and
 * effective_from
 */
export const setRates = (rates: string): string =>
  `WITH made AS (
     INSERT INTO exchange_rates (id, mode, base, quote, rate, spread_percent, effective_from)
     SELECT gen_random_uuid(), rates.* FROM (${rates}) AS rates RETURNING *)
   SELECT record_change(NULL, ${ADMINISTRATOR}, 'rate.set', base || '/' || quote, json_build_object(
     'mode', mode, 'rate', rate::text, 'spread_percent', spread_percent::text, 'effective_from', effective_from)) FROM made`;

/** Returns SQL that inserts orders with explicit times, bypassing the guard trigger. Run it as the table's owner. */
export const insertDatedOrders = (insert: string): string =>
  `ALTER TABLE orders DISABLE TRIGGER orders_are_guarded; ${insert}; ALTER TABLE orders ENABLE TRIGGER orders_are_guarded`;

/**
 * SQL that adjusts the times and order of transfers, entries and events after their orders, refunds and payouts were moved into the past. Run it as
 * superuser. Triggers stay off in the session.
 */
export const REDATE_BOOKS = `
  SET session_replication_role = replica;
  UPDATE transfers t SET created_at = dated.at FROM (
    SELECT transfer_id AS id, paid_at AS at FROM orders
    UNION ALL SELECT coalesce(hold_transfer_id, transfer_id), created_at FROM payouts
    UNION ALL SELECT transfer_id, processed_at FROM payouts WHERE hold_transfer_id IS NOT NULL
    UNION ALL SELECT coalesce(hold_transfer_id, transfer_id), created_at FROM refunds
    UNION ALL SELECT transfer_id, settled_at FROM refunds WHERE hold_transfer_id IS NOT NULL) AS dated WHERE t.id = dated.id;
  UPDATE events v SET created_at = o.paid_at FROM orders o WHERE v.order_id = o.id AND v.name = 'pos.order.paid';
  UPDATE events v SET created_at = r.settled_at FROM refunds r WHERE v.refund_id = r.id;
  UPDATE events v SET created_at = p.processed_at FROM payouts p WHERE v.payout_id = p.id;
  UPDATE entries e SET id = numbered.new_id FROM (
    SELECT e.id, min(e.id) OVER () - row_number() OVER (ORDER BY t.created_at DESC, e.id DESC) AS new_id
    FROM entries e JOIN transfers t ON t.id = e.transfer_id) AS numbered WHERE e.id = numbered.id;
  UPDATE events v SET number = numbered.new_number FROM (
    SELECT id, min(number) OVER () - row_number() OVER (ORDER BY created_at DESC, number DESC) AS new_number FROM events) AS numbered
    WHERE v.id = numbered.id;`;
