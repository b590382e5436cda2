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

-- Expires up to p_limit due orders of all merchants, skipping those that somebody else holds; answers their ids.
CREATE FUNCTION expire_due_orders(p_limit int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  due record;
BEGIN
  FOR due IN
    SELECT id, mode FROM orders WHERE status = 'PENDING' AND expires_at <= clock_timestamp()
      ORDER BY expires_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    IF expire_order(due.id, due.mode) THEN
      RETURN NEXT due.id;
    END IF;
  END LOOP;
END $$;
