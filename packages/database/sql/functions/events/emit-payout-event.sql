-- A `payout.*` event: flat, for dashboard endpoints only.
CREATE OR REPLACE FUNCTION emit_payout_event(p payouts, p_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event_id text := 'evt_' || replace(gen_random_uuid()::text, '-', '');
  sender_digits smallint := (SELECT digits FROM currencies WHERE code = p.sender_currency);
  receiver_digits smallint := (SELECT digits FROM currencies WHERE code = p.receiver_currency);
BEGIN
  INSERT INTO events (id, mode, merchant_id, name, body)
  VALUES (event_id, p.mode, p.merchant_id, p_name, json_build_object(
    'id', event_id,
    'event', p_name,
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
    'timestamp', wire_time(clock_timestamp()))::text);
END $$;
