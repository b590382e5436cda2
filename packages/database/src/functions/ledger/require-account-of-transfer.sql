-- Ledger rule 9 from the transfer's side: at the commit every transfer matches, as a whole, its order, refund, payout or
-- movement of funds. Above the currency's limit a live movement needs two administrators. The limit is checked here and not
-- by the proof, because it may be lowered later.
CREATE OR REPLACE FUNCTION require_account_of_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fault text := transfer_fault(NEW);
BEGIN
  IF fault IS NULL AND NEW.mode = 'live' AND NEW.kind IN ('deposit', 'withdrawal') AND EXISTS (
      SELECT FROM entries e JOIN accounts a ON a.id = e.account_id JOIN currencies c ON c.code = e.currency
      WHERE e.transfer_id = NEW.id AND a.kind IN ('merchant', 'shopper') AND abs(e.amount) > c.single_administrator_limit
        AND NOT funds_are_approved(NEW, a, abs(e.amount))) THEN
    fault := 'is above the limit of one administrator';
  END IF;
  IF fault IS NOT NULL THEN
    RAISE EXCEPTION 'transfer % (%) %', NEW.id, NEW.kind, fault USING ERRCODE = 'TG097';
  END IF;
  RETURN NULL;
END $$;

-- Triggers of one event fire by name: transfers_have_entries first reports a transfer without entries.
CREATE CONSTRAINT TRIGGER transfers_match_their_record AFTER INSERT ON transfers DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_account_of_transfer();
