-- Ledger rule 9 for payouts: one that is settled has its event and its transfer at the commit.
CREATE OR REPLACE FUNCTION require_payout_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM events WHERE merchant_id = NEW.merchant_id AND mode = NEW.mode AND created_at >= NEW.processed_at
      AND name = 'payout.' || NEW.status AND body::json ->> 'payout_id' = NEW.id) <> 1 THEN
    RAISE EXCEPTION 'payout % became % without its event', NEW.id, NEW.status USING ERRCODE = 'TG096';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER payouts_are_reported AFTER INSERT OR UPDATE ON payouts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status <> 'pending') EXECUTE FUNCTION require_payout_report();
