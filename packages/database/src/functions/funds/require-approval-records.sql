-- At commit, a request and its decision must have audit records, and both administrators of an approval must be active (TG098).
CREATE OR REPLACE FUNCTION require_approval_records() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  violation text;
BEGIN
  IF TG_TABLE_NAME = 'approval_requests' THEN
    violation := approval_violation(NEW);
  ELSE
    violation := administrator_request_violation(NEW);
  END IF;
  IF NEW.status = 'approved' AND NOT are_active_administrators(NEW.requested_by_id, NEW.decided_by_id) THEN
    violation := 'was approved by a disabled administrator';
  END IF;
  IF violation IS NOT NULL THEN
    RAISE EXCEPTION 'request % %', NEW.id, violation USING ERRCODE = 'TG098';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER approval_requests_are_recorded AFTER INSERT OR UPDATE ON approval_requests DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_approval_records();
CREATE CONSTRAINT TRIGGER administrator_requests_are_recorded AFTER INSERT OR UPDATE ON administrator_requests DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_approval_records();
