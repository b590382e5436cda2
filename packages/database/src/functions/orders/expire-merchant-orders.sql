-- Expires up to p_limit overdue orders of one merchant and mode, and returns their IDs. Waits up to 2 s for each locked order, then fails.
-- Skips orders whose retry after a failed expiry is not due.
CREATE OR REPLACE FUNCTION expire_merchant_orders(p_merchant_id uuid, p_mode mode, p_limit int) RETURNS SETOF text
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  started timestamptz := clock_timestamp();
BEGIN
  PERFORM begin_write(1);
  RETURN QUERY
    WITH locked AS MATERIALIZED (
      SELECT o.id FROM orders o WHERE merchant_id = p_merchant_id AND mode = p_mode AND state = 'PENDING' AND status = 'PENDING'
          AND expires_at <= started AND NOT EXISTS (SELECT FROM expiry_failures f WHERE f.order_id = o.id AND f.next_attempt_at > started)
        ORDER BY id LIMIT p_limit FOR NO KEY UPDATE OF o)
    SELECT id FROM locked WHERE expire_order(id, p_mode);
END $$;
