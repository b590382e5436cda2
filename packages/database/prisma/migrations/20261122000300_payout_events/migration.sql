-- A `payout.*` event: flat, for dashboard endpoints only.
CREATE FUNCTION emit_payout_event(p payouts, p_name text) RETURNS void LANGUAGE plpgsql AS $$
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

-- Ledger rule 9 for payouts: one that is settled has its event and its transfer at the commit.
CREATE FUNCTION require_payout_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM events WHERE merchant_id = NEW.merchant_id AND mode = NEW.mode AND created_at >= NEW.processed_at
      AND name = 'payout.' || NEW.status AND body::json ->> 'payout_id' = NEW.id) <> 1 THEN
    RAISE EXCEPTION 'payout % became % without its event', NEW.id, NEW.status USING ERRCODE = 'TG096';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER payouts_are_reported AFTER INSERT OR UPDATE ON payouts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status <> 'pending') EXECUTE FUNCTION require_payout_report();
