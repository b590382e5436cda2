-- Once a currency has accounts, its digits are immutable (TG092). Amounts are whole minor units, so other digits would change every booked amount.
CREATE OR REPLACE FUNCTION guard_currency() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM accounts WHERE currency = OLD.code) THEN
    RAISE EXCEPTION 'currency % has accounts: its digits are immutable', OLD.code USING ERRCODE = 'TG092';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER currencies_are_guarded BEFORE UPDATE ON currencies FOR EACH ROW
  WHEN (OLD.digits <> NEW.digits) EXECUTE FUNCTION guard_currency();
