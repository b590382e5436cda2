-- Returns the data of a `refund.*` event, from the refund and its order as they are now. p_digits: decimals of their
-- currency.
CREATE OR REPLACE FUNCTION refund_event_data(o orders, r refunds, p_digits smallint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'refund_id', r.id,
    'transaction_id', o.trx_id,
    'amount', wire_amount(r.amount, p_digits) || ' ' || r.currency,
    'raw_amount', wire_amount(r.amount, p_digits),
    'currency', r.currency,
    'status', r.status,
    'reason', coalesce(r.reason, ''),
    'reference', coalesce(r.reference, ''),
    'metadata', r.metadata::json,
    'created_at', wire_time(r.created_at),
    'order_id', r.order_id)
$$;
