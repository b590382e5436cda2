-- A passkey challenge is created unused. used_at can be set once, to the current time; until then, the expiry can be moved to an earlier
-- time. Any other change raises TG094. confirm_by_passkey checks that the challenge has not expired.
CREATE OR REPLACE FUNCTION guard_challenge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.used_at IS NOT NULL THEN
      RAISE EXCEPTION 'challenge % must be created as unused', NEW.id USING ERRCODE = 'TG094';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.used_at IS NOT NULL OR NEW.expires_at > OLD.expires_at OR NOT is_now(NEW.used_at)
     OR (NEW.id, NEW.mode, NEW.order_id, NEW.wallet_user_id, NEW.account_id, NEW.quote_id, NEW.text, NEW.challenge)
     IS DISTINCT FROM (OLD.id, OLD.mode, OLD.order_id, OLD.wallet_user_id, OLD.account_id, OLD.quote_id, OLD.text, OLD.challenge) THEN
    RAISE EXCEPTION 'challenge % is immutable', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER payment_challenges_are_guarded BEFORE INSERT OR UPDATE ON payment_challenges FOR EACH ROW EXECUTE FUNCTION guard_challenge();
