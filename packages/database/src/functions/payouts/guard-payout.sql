-- A payout is created and settled at the database's current time. Its creation time determines the day and month whose limits it counts
-- toward. A payout is settled once, and its terms are immutable (TG094).
CREATE OR REPLACE FUNCTION guard_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP = 'INSERT' AND NOT is_now(NEW.created_at))
     OR NOT is_now(NEW.processed_at) THEN
    RAISE EXCEPTION 'payout % must be created and settled at the current time', NEW.id USING ERRCODE = 'TG094';
  END IF;
  IF TG_OP = 'INSERT' THEN
    RETURN NEW;
  END IF;
  IF OLD.status <> 'pending' THEN
    RAISE EXCEPTION 'payout % is already %', OLD.id, OLD.status USING ERRCODE = 'TG094';
  END IF;
  IF (NEW.id, NEW.mode, NEW.merchant_id, NEW.reference, NEW.quote_id, NEW.wallet_user_id, NEW.recipient_account_id, NEW.amount,
      NEW.sender_currency, NEW.fee, NEW.rate, NEW.receiver_amount, NEW.receiver_currency, NEW.hold_transfer_id, NEW.created_at, NEW.traceparent,
      NEW.description, NEW.metadata)
     IS DISTINCT FROM (OLD.id, OLD.mode, OLD.merchant_id, OLD.reference, OLD.quote_id, OLD.wallet_user_id, OLD.recipient_account_id, OLD.amount,
      OLD.sender_currency, OLD.fee, OLD.rate, OLD.receiver_amount, OLD.receiver_currency, OLD.hold_transfer_id, OLD.created_at, OLD.traceparent,
      OLD.description, OLD.metadata) THEN
    RAISE EXCEPTION 'payout %: terms are immutable', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER payouts_are_guarded BEFORE INSERT OR UPDATE ON payouts FOR EACH ROW EXECUTE FUNCTION guard_payout();
