-- Cancels a payable order. TG001, TG010, TG011 as in lock_payable_orders.
CREATE OR REPLACE FUNCTION cancel_order(p_order_id text, p_mode mode, p_request_id text DEFAULT NULL) RETURNS orders LANGUAGE plpgsql AS $$
DECLARE
  o orders;
BEGIN
  PERFORM begin_write(1);
  o := (lock_payable_orders(ARRAY[p_order_id], ARRAY[p_mode]))[1];
  UPDATE orders SET status = 'CANCELLED', state = 'CANCELLED', version = version + 1, cancel_request_id = p_request_id
    WHERE id = o.id RETURNING * INTO o;
  PERFORM emit_event(o.mode, o.merchant_id, 'pos.order.cancelled', o.id);
  RETURN o;
END $$;
