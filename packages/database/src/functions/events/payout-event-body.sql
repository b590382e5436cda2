-- The body of a `payout.*` event, from the payout as it is now. It has no `data`: the payout's fields are at the top level.
CREATE OR REPLACE FUNCTION payout_event_body(p payouts, p_event_id text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  sender_digits smallint := (SELECT digits FROM currencies WHERE code = p.sender_currency);
  receiver_digits smallint := (SELECT digits FROM currencies WHERE code = p.receiver_currency);
BEGIN
  RETURN json_build_object(
    'id', p_event_id,
    'event', 'payout.' || p.status,
    'payout_id', p.id,
    'reference', p.reference,
    'amount', wire_amount(p.amount, sender_digits),
    'currency', p.sender_currency,
    'fee', wire_amount(p.fee, sender_digits),
    'total_deducted', wire_amount(p.amount + p.fee, sender_digits),
    'exchange_rate', trim_scale(p.rate),
    'receiver_amount', wire_amount(p.receiver_amount, receiver_digits),
    'receiver_currency', p.receiver_currency,
    'status', p.status,
    'processed_at', wire_time(p.processed_at),
    'metadata', p.metadata::json,
    'timestamp', wire_time(clock_timestamp()))::text;
END $$;
