-- Ledger rule 9, deferred to commit. A pending payout must have its hold. A settled payout must have its event and transfer (TG096) and, if
-- it was held, the audit record of the decision (TG098). require_account_of_transfer compares the entries.
CREATE OR REPLACE FUNCTION require_payout_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.hold_transfer_id IS NOT NULL THEN
    IF TG_OP = 'INSERT' AND NOT transfer_is_of(NEW.hold_transfer_id, 'hold')
       OR EXISTS (SELECT FROM refunds WHERE hold_transfer_id = NEW.hold_transfer_id) THEN
      RAISE EXCEPTION 'payout %: the hold transfer is not a hold, or belongs to a refund', NEW.id USING ERRCODE = 'TG096';
    END IF;
  END IF;
  IF NEW.status = 'pending' THEN
    RETURN NULL;
  END IF;
  -- LATERAL with LIMIT forces a lookup by ID, as in book_entries.
  IF NOT EXISTS (SELECT FROM events v CROSS JOIN LATERAL (SELECT mode, kind FROM transfers WHERE id = NEW.transfer_id LIMIT 1) t
      WHERE t.mode = NEW.mode AND t.kind = CASE NEW.status WHEN 'completed' THEN 'payout'::transfer_kind ELSE 'hold_return' END
        AND v.payout_id = NEW.id AND v.name = 'payout.' || NEW.status)
     OR NEW.status = 'failed' AND EXISTS (SELECT FROM refunds WHERE transfer_id = NEW.transfer_id) THEN
    RAISE EXCEPTION 'payout % became % without its event and transfer', NEW.id, NEW.status USING ERRCODE = 'TG096';
  END IF;
  IF TG_OP = 'UPDATE' AND NOT hold_decision_is_recorded(
      'payout', NEW.id, NEW.merchant_id, NEW.mode, NEW.status = 'completed', NEW.amount, NEW.transfer_id) THEN
    RAISE EXCEPTION 'payout % became % without an audit record of the decision', NEW.id, NEW.status USING ERRCODE = 'TG098';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER payouts_are_reported AFTER INSERT OR UPDATE ON payouts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_payout_report();
