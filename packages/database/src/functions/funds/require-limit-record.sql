-- The single-administrator limit changes only with an audit record in the same transaction (TG098). One administrator can lower it. To
-- raise it, a second administrator must approve a request for the increase in the same transaction.
CREATE OR REPLACE FUNCTION require_limit_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  raised boolean := TG_OP = 'INSERT' OR NEW.single_administrator_limit > OLD.single_administrator_limit;
BEGIN
  IF NOT EXISTS (
      SELECT FROM audit_records a WHERE a.merchant_id IS NULL AND a.subject = NEW.code AND a.created_at >= transaction_timestamp()
        AND a.action = CASE WHEN raised THEN 'currency.single_limit.approve' ELSE 'currency.single_limit' END
        AND a.details::json ->> 'after_minor' = NEW.single_administrator_limit::text)
     OR (raised AND NOT EXISTS (
      SELECT FROM approval_requests r WHERE r.kind = 'single_limit' AND r.currency = NEW.code AND r.status = 'approved'
        AND r.amount = NEW.single_administrator_limit AND r.decided_at >= transaction_timestamp())) THEN
    RAISE EXCEPTION 'the change of the limit for % has no audit record', NEW.code USING ERRCODE = 'TG098';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER currencies_begin_without_limit AFTER INSERT ON currencies DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.single_administrator_limit <> 0) EXECUTE FUNCTION require_limit_record();
CREATE CONSTRAINT TRIGGER currencies_limits_are_recorded AFTER UPDATE ON currencies DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.single_administrator_limit <> NEW.single_administrator_limit) EXECUTE FUNCTION require_limit_record();
