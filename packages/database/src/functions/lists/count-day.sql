-- Counts one row of a list (orders, refunds, payouts) out of p_before and into p_after; either may be null. day_counts and
-- span_counts stay exact in the transaction of the change. The slot comes from the backend's process id: two transactions
-- at the same time are two backends, so they rarely meet on one counter. Those that do must not deadlock. So all rows of
-- one change are taken in one statement, sorted; orders before refunds. expire_due_orders, which changes many orders in one
-- transaction, goes through them by merchant, mode and day. No transaction waits for a row of span_counts: its holder also
-- holds its day's row in day_counts, of the same status and slot, which is taken first.
CREATE OR REPLACE FUNCTION count_day(p_merchant_id uuid, p_mode mode, p_kind counted_kind, p_created_at timestamptz, p_before text, p_after text)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO day_counts AS c (merchant_id, mode, kind, day, status, slot, count)
  SELECT p_merchant_id, p_mode, p_kind, (p_created_at AT TIME ZONE 'UTC')::date, status, pg_backend_pid() % 16, change
  FROM (VALUES (p_before, -1), (p_after, 1)) AS changes (status, change) WHERE status IS NOT NULL ORDER BY status
  ON CONFLICT (merchant_id, mode, kind, day, status, slot) DO UPDATE SET count = c.count + EXCLUDED.count;
  INSERT INTO span_counts AS c (merchant_id, mode, kind, starts_at, status, slot, count)
  SELECT p_merchant_id, p_mode, p_kind, span_of(p_created_at), status, pg_backend_pid() % 16, change
  FROM (VALUES (p_before, -1), (p_after, 1)) AS changes (status, change) WHERE status IS NOT NULL ORDER BY status
  ON CONFLICT (merchant_id, mode, kind, starts_at, status, slot) DO UPDATE SET count = c.count + EXCLUDED.count
$$;
