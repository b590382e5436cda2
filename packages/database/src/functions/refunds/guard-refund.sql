-- A refund is created and settled at the database's current time. It is settled once, and its terms are immutable (TG095).
CREATE OR REPLACE FUNCTION guard_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP = 'INSERT' AND NOT is_now(NEW.created_at))
     OR (OLD.settled_at IS NULL AND NOT is_now(NEW.settled_at)) THEN
    RAISE EXCEPTION 'refund % must be created and settled at the current time', NEW.id USING ERRCODE = 'TG095';
  END IF;
  IF TG_OP = 'INSERT' THEN
    RETURN NEW;
  END IF;
  IF OLD.status <> 'pending' AND (NEW.status, NEW.transfer_id, NEW.settled_at, NEW.payer_amount)
     IS DISTINCT FROM (OLD.status, OLD.transfer_id, OLD.settled_at, OLD.payer_amount) THEN
    RAISE EXCEPTION 'refund % is already %', OLD.id, OLD.status USING ERRCODE = 'TG095';
  END IF;
  IF (NEW.id, NEW.mode, NEW.merchant_id, NEW.order_id, NEW.amount, NEW.currency, NEW.hold_transfer_id, NEW.created_at, NEW.credential_id, NEW.request_id,
      NEW.reason, NEW.reference, NEW.metadata)
     IS DISTINCT FROM (OLD.id, OLD.mode, OLD.merchant_id, OLD.order_id, OLD.amount, OLD.currency, OLD.hold_transfer_id, OLD.created_at, OLD.credential_id, OLD.request_id,
      OLD.reason, OLD.reference, OLD.metadata) THEN
    RAISE EXCEPTION 'refund %: order, amount and texts are immutable', OLD.id USING ERRCODE = 'TG095';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER refunds_are_guarded BEFORE INSERT OR UPDATE ON refunds FOR EACH ROW EXECUTE FUNCTION guard_refund();
