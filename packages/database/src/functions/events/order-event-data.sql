-- Returns the data of a `pos.order.*` event, from the order as it is now. p_digits: decimals of its currency.
CREATE OR REPLACE FUNCTION order_event_data(o orders, p_digits smallint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'order_id', o.id,
    'amount', wire_amount(o.amount, p_digits),
    'currency', o.currency,
    'status', o.state,
    'reference', o.reference,
    'terminal_id', o.terminal_id,
    'trx_id', o.trx_id,
    'paid_at', wire_time(o.paid_at),
    'order_number', o.order_number,
    'custom', o.custom,
    'refunded_amount', wire_amount(o.refunded, p_digits),
    'version', o.version,
    'metadata', o.metadata::json)
$$;
