-- A `pos.order.*` event of an order as it is now.
CREATE OR REPLACE FUNCTION emit_order_event(p_order orders, p_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  currency_digits smallint := (SELECT digits FROM currencies WHERE code = p_order.currency);
BEGIN
  PERFORM emit_event(p_order, p_name, json_build_object(
    'order_id', p_order.id,
    'amount', wire_amount(p_order.amount, currency_digits),
    'currency', p_order.currency,
    'status', p_order.state,
    'reference', p_order.reference,
    'terminal_id', p_order.terminal_id,
    'trx_id', p_order.trx_id,
    'paid_at', wire_time(p_order.paid_at),
    'order_number', p_order.order_number,
    'custom', p_order.custom,
    'refunded_amount', wire_amount(p_order.refunded, currency_digits),
    'version', p_order.version));
END $$;
