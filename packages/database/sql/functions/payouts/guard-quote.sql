-- Ledger rule 8: a quote is used once and never changed.
CREATE OR REPLACE FUNCTION guard_quote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.used_at IS NOT NULL OR (NEW.merchant_id, NEW.mode, NEW.wallet_user_id, NEW.amount, NEW.fee, NEW.rate, NEW.receiver_amount, NEW.sender_currency, NEW.receiver_currency)
     IS DISTINCT FROM (OLD.merchant_id, OLD.mode, OLD.wallet_user_id, OLD.amount, OLD.fee, OLD.rate, OLD.receiver_amount, OLD.sender_currency, OLD.receiver_currency) THEN
    RAISE EXCEPTION 'quote % is fixed', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER quotes_are_guarded BEFORE UPDATE ON quotes FOR EACH ROW EXECUTE FUNCTION guard_quote();
