-- A quote converts an order's amount into another currency, for one of the shopper's wallets, at the quote's rate and rounded up to a whole
-- minor unit. It starts at the current time, is valid for at most an hour and can be used once, before it expires. It is immutable, except
-- that its expiry may be brought forward (TG094).
CREATE OR REPLACE FUNCTION guard_shopper_quote() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  order_value numeric;
  unit_worth numeric;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.used_at IS NOT NULL OR NOT is_valid_quote_time_change(OLD.expires_at, NEW.expires_at, NEW.used_at) OR (NEW.id, NEW.mode, NEW.order_id, NEW.wallet_user_id, NEW.account_id, NEW.payer_currency, NEW.payer_amount, NEW.rate, NEW.created_at)
       IS DISTINCT FROM (OLD.id, OLD.mode, OLD.order_id, OLD.wallet_user_id, OLD.account_id, OLD.payer_currency, OLD.payer_amount, OLD.rate, OLD.created_at) THEN
      RAISE EXCEPTION 'quote % is immutable', OLD.id USING ERRCODE = 'TG094';
    END IF;
    RETURN NEW;
  END IF;
  SELECT o.amount * power(10::numeric, payers.digits), NEW.rate * power(10::numeric, own.digits) INTO STRICT order_value, unit_worth
    FROM orders o JOIN currencies own ON own.code = o.currency JOIN currencies payers ON payers.code = NEW.payer_currency
    WHERE o.id = NEW.order_id AND o.currency <> NEW.payer_currency;
  IF NEW.used_at IS NOT NULL OR NOT quote_begins_now(NEW.created_at, NEW.expires_at) OR NEW.payer_amount * unit_worth < order_value OR (NEW.payer_amount - 1) * unit_worth >= order_value
     OR NOT EXISTS (SELECT FROM accounts WHERE id = NEW.account_id AND wallet_user_id = NEW.wallet_user_id AND kind = 'shopper') THEN
    RAISE EXCEPTION 'quote % must be unused, start at the current time, expire within an hour and match its rate, account and order %', NEW.id, NEW.order_id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER shopper_quotes_are_guarded BEFORE INSERT OR UPDATE ON shopper_quotes FOR EACH ROW EXECUTE FUNCTION guard_shopper_quote();
