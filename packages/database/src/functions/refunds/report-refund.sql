-- Writes the event of a settled refund, and `pos.order.refunded` if its order is now fully refunded.
CREATE OR REPLACE FUNCTION report_refund(p_refund refunds) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  o orders;
BEGIN
  SELECT * INTO STRICT o FROM orders WHERE id = p_refund.order_id;
  PERFORM emit_event(o.mode, o.merchant_id, 'refund.' || p_refund.status, o.id, p_refund.id);
  IF o.state = 'REFUNDED' THEN
    PERFORM emit_event(o.mode, o.merchant_id, 'pos.order.refunded', o.id);
  END IF;
END $$;
