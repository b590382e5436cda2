-- A request is decided once, and keeps what was asked for.
CREATE OR REPLACE FUNCTION guard_administrator_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'pending' OR (NEW.id, NEW.kind, NEW.email, NEW.requested_by_id, NEW.requested_at)
     IS DISTINCT FROM (OLD.id, OLD.kind, OLD.email, OLD.requested_by_id, OLD.requested_at) THEN
    RAISE EXCEPTION 'request % is fixed', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER administrator_requests_are_guarded BEFORE UPDATE ON administrator_requests FOR EACH ROW EXECUTE FUNCTION guard_administrator_request();
