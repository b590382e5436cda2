-- Ledger rule 8: a quote starts at the current time and is valid for at most an hour. It can be used once, before it expires. It is otherwise
-- immutable, except that its expiry may be brought forward (TG094).
CREATE OR REPLACE FUNCTION guard_quote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.used_at IS NOT NULL OR NOT quote_begins_now(NEW.created_at, NEW.expires_at) THEN
      RAISE EXCEPTION 'quote % must be unused, start at the current time and expire within an hour', NEW.id USING ERRCODE = 'TG094';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.used_at IS NOT NULL OR NOT is_valid_quote_time_change(OLD.expires_at, NEW.expires_at, NEW.used_at)
     OR (NEW.id, NEW.merchant_id, NEW.mode, NEW.wallet_user_id, NEW.amount, NEW.fee, NEW.rate, NEW.receiver_amount, NEW.sender_currency, NEW.receiver_currency, NEW.created_at)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.mode, OLD.wallet_user_id, OLD.amount, OLD.fee, OLD.rate, OLD.receiver_amount, OLD.sender_currency, OLD.receiver_currency, OLD.created_at) THEN
    RAISE EXCEPTION 'quote % is immutable', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER quotes_are_guarded BEFORE INSERT OR UPDATE ON quotes FOR EACH ROW EXECUTE FUNCTION guard_quote();
