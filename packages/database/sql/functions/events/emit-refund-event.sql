-- A `refund.*` event: the nine keys of a refund and its order.
CREATE OR REPLACE FUNCTION emit_refund_event(p_order orders, p_refund refunds, p_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  currency_digits smallint := (SELECT digits FROM currencies WHERE code = p_order.currency);
BEGIN
  PERFORM emit_event(p_order, p_name, json_build_object(
    'refund_id', p_refund.id,
    'transaction_id', p_order.trx_id,
    'amount', wire_amount(p_refund.amount, currency_digits) || ' ' || p_refund.currency,
    'raw_amount', wire_amount(p_refund.amount, currency_digits),
    'currency', p_refund.currency,
    'status', p_refund.status,
    'reason', p_refund.reason,
    'reference', p_refund.reference,
    'created_at', wire_time(p_refund.created_at),
    'order_id', p_refund.order_id));
END $$;
