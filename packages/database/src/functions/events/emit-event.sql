-- Writes an event of an order, refund or payout. TG096 as in write_event, which builds the body.
CREATE OR REPLACE FUNCTION emit_event(
  p_mode mode, p_merchant_id uuid, p_name text, p_order_id text, p_refund_id text DEFAULT NULL, p_payout_id text DEFAULT NULL)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (mode, merchant_id, name, order_id, refund_id, payout_id)
  VALUES (p_mode, p_merchant_id, p_name, p_order_id, p_refund_id, p_payout_id)
$$;
