-- Expires one order if it is pending and overdue. Returns whether this call expired it.
CREATE OR REPLACE FUNCTION expire_order(p_order_id text, p_mode mode) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  o orders;
BEGIN
  PERFORM begin_write(1);
  UPDATE orders SET status = 'EXPIRED', state = 'EXPIRED', version = version + 1
    WHERE id = p_order_id AND mode = p_mode AND status = 'PENDING' AND expires_at <= clock_timestamp() RETURNING * INTO o;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM emit_event(o.mode, o.merchant_id, 'pos.order.expired', o.id);
  RETURN true;
END $$;
