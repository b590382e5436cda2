-- Protects a request that needs a second administrator's decision. It is created as pending and decided only once. The times of its
-- creation and decision are current. Its terms (the columns in the trigger's arguments) are immutable. Violations raise TG094.
CREATE OR REPLACE FUNCTION protect_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'pending' THEN
      RAISE EXCEPTION 'request % must be created as pending', NEW.id USING ERRCODE = 'TG094';
    END IF;
    NEW.requested_at := clock_timestamp();
    RETURN NEW;
  END IF;
  IF OLD.status <> 'pending' OR NEW.decided_at NOT BETWEEN transaction_timestamp() AND clock_timestamp() OR EXISTS (
      SELECT FROM unnest(TG_ARGV) AS kept WHERE to_jsonb(NEW) -> kept IS DISTINCT FROM to_jsonb(OLD) -> kept) THEN
    RAISE EXCEPTION 'request % is immutable', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER administrator_requests_are_guarded BEFORE INSERT OR UPDATE ON administrator_requests FOR EACH ROW
  EXECUTE FUNCTION protect_request('id', 'kind', 'email', 'requested_by_id', 'requested_at');
CREATE TRIGGER approval_requests_are_guarded BEFORE INSERT OR UPDATE ON approval_requests FOR EACH ROW
  EXECUTE FUNCTION protect_request('id', 'kind', 'mode', 'account_id', 'currency', 'amount', 'external_reference', 'requested_by_id', 'requested_at');
