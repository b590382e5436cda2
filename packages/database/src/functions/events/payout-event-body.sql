-- Returns the body of a `payout.*` event, from the payout as it is now. It has no `data`: the payout's fields are at the top level.
-- p_sender_digits and p_receiver_digits: decimals of the two currencies.
CREATE OR REPLACE FUNCTION payout_event_body(p payouts, p_event_id text, p_sender_digits smallint, p_receiver_digits smallint) RETURNS text LANGUAGE sql AS $$
  SELECT json_build_object(
    'id', p_event_id,
    'event', 'payout.' || p.status,
    'payout_id', p.id,
    'reference', p.reference,
    'amount', wire_amount(p.amount, p_sender_digits),
    'currency', p.sender_currency,
    'fee', wire_amount(p.fee, p_sender_digits),
    'total_deducted', wire_amount(p.amount + p.fee, p_sender_digits),
    'exchange_rate', trim_scale(p.rate),
    'receiver_amount', wire_amount(p.receiver_amount, p_receiver_digits),
    'receiver_currency', p.receiver_currency,
    'status', p.status,
    'processed_at', wire_time(p.processed_at),
    'metadata', p.metadata::json,
    'timestamp', wire_time(clock_timestamp()))::text
$$;
