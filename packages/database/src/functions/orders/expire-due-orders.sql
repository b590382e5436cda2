-- Expires up to p_limit due orders of all merchants, the longest due first. It skips locked orders and those that failed
-- and wait for another try. Answers their ids. It reads the clock once, so that the scan of the index of pending orders
-- starts at the due ones.
CREATE OR REPLACE FUNCTION expire_due_orders(p_limit int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  started timestamptz := clock_timestamp();
BEGIN
  RETURN QUERY
    WITH locked AS MATERIALIZED (
      SELECT o.id, o.mode FROM orders o WHERE status = 'PENDING' AND expires_at <= started
          AND NOT EXISTS (SELECT FROM expiry_failures f WHERE f.order_id = o.id AND f.next_attempt_at > started)
        ORDER BY expires_at LIMIT p_limit FOR NO KEY UPDATE OF o SKIP LOCKED)
    SELECT id FROM locked WHERE expire_order(id, mode);
END $$;
