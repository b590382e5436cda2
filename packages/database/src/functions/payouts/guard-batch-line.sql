-- The terms of a bulk payout's line are immutable, and a line cannot change once it has a payout. The payout must match the line (TG094).
CREATE OR REPLACE FUNCTION guard_batch_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.payout_id IS NOT NULL
     OR (NEW.batch_id, NEW.number, NEW.merchant_id, NEW.mode, NEW.recipient, NEW.amount, NEW.sender_currency, NEW.receiver_currency, NEW.reference, NEW.description)
     IS DISTINCT FROM (OLD.batch_id, OLD.number, OLD.merchant_id, OLD.mode, OLD.recipient, OLD.amount, OLD.sender_currency, OLD.receiver_currency, OLD.reference, OLD.description)) THEN
    RAISE EXCEPTION 'line % of file %: payout and terms are immutable', OLD.number, OLD.batch_id USING ERRCODE = 'TG094';
  END IF;
  IF NEW.payout_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM payouts p WHERE p.id = NEW.payout_id AND p.merchant_id = NEW.merchant_id AND p.mode = NEW.mode AND p.reference = NEW.reference
        AND (p.amount, p.sender_currency, p.receiver_currency) = (NEW.amount, NEW.sender_currency, NEW.receiver_currency)) THEN
    RAISE EXCEPTION 'payout % does not match line % of file %', NEW.payout_id, NEW.number, NEW.batch_id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER payout_batch_lines_are_guarded BEFORE INSERT OR UPDATE ON payout_batch_lines FOR EACH ROW EXECUTE FUNCTION guard_batch_line();
