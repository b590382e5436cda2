-- Ledger rule 9 for conversions, checked at commit: a used conversion must have a transfer (TG096). require_account_of_transfer compares the
-- transfer's lines.
CREATE OR REPLACE FUNCTION require_conversion_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT transfer_is_of(NEW.transfer_id, 'conversion') THEN
    RAISE EXCEPTION 'conversion % has no matching transfer', NEW.id USING ERRCODE = 'TG096';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER conversions_are_booked AFTER UPDATE ON conversions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.used_at IS NOT NULL) EXECUTE FUNCTION require_conversion_transfer();
