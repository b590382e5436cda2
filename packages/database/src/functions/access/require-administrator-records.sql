-- A request for an administrator, and the decision on it, have their audit records in their transaction. Only while both
-- administrators are active is a request approved.
CREATE OR REPLACE FUNCTION require_administrator_records() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fault text := administrator_request_fault(NEW);
BEGIN
  IF fault IS NULL AND NEW.status = 'approved' AND NOT are_active_administrators(NEW.requested_by_id, NEW.decided_by_id) THEN
    fault := 'was approved by a disabled administrator';
  END IF;
  IF fault IS NOT NULL THEN
    RAISE EXCEPTION 'request % %', NEW.id, fault USING ERRCODE = 'TG098';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER administrator_requests_are_recorded AFTER INSERT OR UPDATE ON administrator_requests DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_administrator_records();
