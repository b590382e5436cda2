-- A request is decided once and keeps what was asked for.
CREATE OR REPLACE FUNCTION guard_approval_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'pending' OR (NEW.id, NEW.kind, NEW.mode, NEW.account_id, NEW.currency, NEW.amount, NEW.external_reference, NEW.requested_by_id, NEW.requested_at)
     IS DISTINCT FROM (OLD.id, OLD.kind, OLD.mode, OLD.account_id, OLD.currency, OLD.amount, OLD.external_reference, OLD.requested_by_id, OLD.requested_at) THEN
    RAISE EXCEPTION 'request % is fixed', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER approval_requests_are_guarded BEFORE UPDATE ON approval_requests FOR EACH ROW EXECUTE FUNCTION guard_approval_request();
