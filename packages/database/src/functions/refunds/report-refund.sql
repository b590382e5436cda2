-- Writes the event of a settled refund, and `pos.order.refunded` if this refund is completed and its order is now fully refunded.
CREATE OR REPLACE FUNCTION report_refund(p_refund refunds) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  o orders;
BEGIN
  SELECT * INTO STRICT o FROM orders WHERE id = p_refund.order_id AND mode = p_refund.mode;
  PERFORM emit_event(o.mode, o.merchant_id, 'refund.' || p_refund.status, o.id, p_refund.id);
  IF o.state = 'REFUNDED' AND p_refund.status = 'completed' THEN
    PERFORM emit_event(o.mode, o.merchant_id, 'pos.order.refunded', o.id);
  END IF;
END $$;
