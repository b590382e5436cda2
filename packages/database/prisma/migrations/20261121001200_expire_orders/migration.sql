-- Expires one order if it is pending and its time is over; answers whether this call did it.
CREATE FUNCTION expire_order(p_order_id text, p_mode mode) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  o orders;
BEGIN
  UPDATE orders SET status = 'EXPIRED', state = 'EXPIRED', version = version + 1
    WHERE id = p_order_id AND mode = p_mode AND status = 'PENDING' AND expires_at <= clock_timestamp() RETURNING * INTO o;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM emit_order_event(o, 'pos.order.expired');
  RETURN true;
END $$;

-- Expires up to p_limit due orders of all merchants, the longest due first, skipping those that somebody else holds;
-- answers their ids. The clock is read once, so that the index of pending orders is entered at the due ones. Orders are
-- then changed in the order in which day_counts must be taken.
CREATE FUNCTION expire_due_orders(p_limit int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  started timestamptz := clock_timestamp();
  due record;
BEGIN
  FOR due IN
    WITH locked AS MATERIALIZED (
      SELECT id, mode, merchant_id, created_at FROM orders WHERE status = 'PENDING' AND expires_at <= started
        ORDER BY expires_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED)
    SELECT id, mode FROM locked ORDER BY merchant_id, mode, (created_at AT TIME ZONE 'UTC')::date, id
  LOOP
    IF expire_order(due.id, due.mode) THEN
      RETURN NEXT due.id;
    END IF;
  END LOOP;
END $$;
