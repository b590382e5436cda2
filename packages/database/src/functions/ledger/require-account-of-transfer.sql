-- Ledger rules 1 and 9 for transfers: at commit every transfer has entries (otherwise TG091) and matches its order, refund, payout, hold,
-- conversion or movement of funds (otherwise TG097). A live movement above the currency's limit needs two administrators. The proof does
-- not check the limit, because it may be lowered later.
CREATE OR REPLACE FUNCTION require_account_of_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  violation text := transfer_violation(NEW);
BEGIN
  IF violation IS NULL AND NEW.mode = 'live' AND NEW.kind IN ('deposit', 'withdrawal') THEN
    PERFORM FROM entries e JOIN accounts a ON a.id = e.account_id JOIN currencies c ON c.code = e.currency
      WHERE e.transfer_id = NEW.id AND a.kind IN ('merchant', 'shopper') AND abs(e.amount) > c.single_administrator_limit
        AND NOT funds_are_approved(NEW, a, abs(e.amount));
    IF FOUND THEN
      violation := 'is above the limit of one administrator';
    END IF;
  END IF;
  IF violation IS NOT NULL THEN
    IF NOT EXISTS (SELECT FROM entries WHERE transfer_id = NEW.id) THEN
      RAISE EXCEPTION 'transfer % has no entries', NEW.id USING ERRCODE = 'TG091';
    END IF;
    RAISE EXCEPTION 'transfer % (%) %', NEW.id, NEW.kind, violation USING ERRCODE = 'TG097';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER transfers_match_their_record AFTER INSERT ON transfers DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_account_of_transfer();
