-- Ledger rule 9, deferred to commit. A pending refund must have its hold. A settled refund must have its event and transfer (TG096) and, if
-- it was held, the audit record of the decision (TG098). require_account_of_transfer compares the entries.
CREATE OR REPLACE FUNCTION require_refund_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.hold_transfer_id IS NOT NULL AND (NOT transfer_is_of(NEW.hold_transfer_id, 'hold')
      OR EXISTS (SELECT FROM payouts WHERE hold_transfer_id = NEW.hold_transfer_id)) THEN
    RAISE EXCEPTION 'refund %: the hold transfer is not a hold, or belongs to a payout', NEW.id USING ERRCODE = 'TG096';
  END IF;
  IF NEW.status = 'pending' OR OLD.status = NEW.status THEN
    RETURN NULL;
  END IF;
  IF NOT EXISTS (SELECT FROM events WHERE refund_id = NEW.id AND name = 'refund.' || NEW.status) THEN
    RAISE EXCEPTION 'refund % became % without its event', NEW.id, NEW.status USING ERRCODE = 'TG096';
  END IF;
  IF NOT transfer_is_of(NEW.transfer_id, CASE NEW.status WHEN 'completed' THEN 'refund'::transfer_kind ELSE 'hold_return' END)
     OR EXISTS (SELECT FROM payouts WHERE transfer_id = NEW.transfer_id) THEN
    RAISE EXCEPTION 'refund % became % without its transfer', NEW.id, NEW.status USING ERRCODE = 'TG096';
  END IF;
  IF TG_OP = 'UPDATE' AND NOT hold_decision_is_recorded(
      'refund', NEW.id, NEW.merchant_id, NEW.mode, NEW.status = 'completed', NEW.amount, NEW.transfer_id) THEN
    RAISE EXCEPTION 'refund % became % without an audit record of the decision', NEW.id, NEW.status USING ERRCODE = 'TG098';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER refunds_are_reported AFTER INSERT OR UPDATE ON refunds DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_refund_report();
