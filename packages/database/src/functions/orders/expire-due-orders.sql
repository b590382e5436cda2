-- Expires up to p_limit overdue orders of all merchants, longest overdue first. Skips locked orders, and orders whose retry after a
-- failed expiry is not due. Returns the expired orders' IDs. The clock is read once, so that the index scan by expires_at has a constant bound.
CREATE OR REPLACE FUNCTION expire_due_orders(p_limit int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  started timestamptz := clock_timestamp();
BEGIN
  PERFORM begin_write(1);
  RETURN QUERY
    WITH locked AS MATERIALIZED (
      SELECT o.id, o.mode FROM orders o WHERE status = 'PENDING' AND expires_at <= started
          AND NOT EXISTS (SELECT FROM expiry_failures f WHERE f.order_id = o.id AND f.next_attempt_at > started)
        ORDER BY expires_at LIMIT p_limit FOR NO KEY UPDATE OF o SKIP LOCKED)
    SELECT id FROM locked WHERE expire_order(id, mode);
END $$;
