-- A conversion starts as a quote: the credited amount is the debited amount at the rate, rounded down to a whole minor unit. The
-- quote is valid for at most an hour and can be used once, before it expires. A conversion is immutable, except that its expiry may be brought
-- forward. Once used, it cannot be deleted (TG090). Other violations raise TG094.
CREATE OR REPLACE FUNCTION guard_conversion() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  worth numeric;
  unit numeric;
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.used_at IS NOT NULL THEN
      RAISE EXCEPTION 'conversion % is completed and cannot be deleted', OLD.id USING ERRCODE = 'TG090';
    END IF;
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF OLD.used_at IS NOT NULL OR NOT is_valid_quote_time_change(OLD.expires_at, NEW.expires_at, NEW.used_at)
       OR (NEW.id, NEW.mode, NEW.wallet_user_id, NEW.from_currency, NEW.from_amount, NEW.to_currency, NEW.to_amount, NEW.rate, NEW.created_at)
       IS DISTINCT FROM (OLD.id, OLD.mode, OLD.wallet_user_id, OLD.from_currency, OLD.from_amount, OLD.to_currency, OLD.to_amount, OLD.rate, OLD.created_at) THEN
      RAISE EXCEPTION 'conversion % is immutable', OLD.id USING ERRCODE = 'TG094';
    END IF;
    RETURN NEW;
  END IF;
  SELECT NEW.from_amount * NEW.rate * power(10::numeric, received.digits), power(10::numeric, given.digits) INTO STRICT worth, unit
    FROM currencies given, currencies received WHERE given.code = NEW.from_currency AND received.code = NEW.to_currency;
  IF NEW.used_at IS NOT NULL OR NOT quote_begins_now(NEW.created_at, NEW.expires_at) OR NEW.to_amount * unit > worth OR (NEW.to_amount + 1) * unit <= worth THEN
    RAISE EXCEPTION 'conversion % must be unused, start at the current time, expire within an hour and match its rate', NEW.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER conversions_are_guarded BEFORE INSERT OR UPDATE OR DELETE ON conversions FOR EACH ROW EXECUTE FUNCTION guard_conversion();
