-- A replay's current delivery must belong to the replay's event, merchant, mode, and endpoint or credential (foreign_key_violation). This is
-- not a foreign key, because the delivery may be pruned later.
CREATE OR REPLACE FUNCTION guard_replay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
      SELECT FROM deliveries d WHERE d.id = NEW.delivery_id AND d.event_id = NEW.event_id AND d.merchant_id = NEW.merchant_id AND d.mode = NEW.mode
        AND (d.receiver_id, d.credential_id) IS NOT DISTINCT FROM (NEW.receiver_id, NEW.credential_id)) THEN
    RAISE EXCEPTION 'delivery % does not belong to replay %', NEW.delivery_id, NEW.id USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER replays_send_their_own BEFORE INSERT OR UPDATE OF event_id, delivery_id, merchant_id, mode, receiver_id, credential_id ON replays
  FOR EACH ROW WHEN (NEW.delivery_id IS NOT NULL OR NEW.event_id IS NOT NULL) EXECUTE FUNCTION guard_replay();
