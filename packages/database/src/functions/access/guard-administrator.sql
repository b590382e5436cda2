-- Adding an administrator when there are already two or more, promoting a console user to administrator, or enabling a disabled
-- administrator requires a request that another administrator approves in this transaction (TG067). Its `decided_at` must therefore be the
-- start of the transaction.
CREATE OR REPLACE FUNCTION guard_administrator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.role = 'administrator' AND (OLD.disabled_at IS NULL OR NEW.disabled_at IS NOT NULL) THEN
    RETURN NEW;
  END IF;
  IF (TG_OP = 'UPDATE' OR (SELECT count(*) FROM console_users WHERE role = 'administrator' AND id <> NEW.id) > 1)
     AND NOT EXISTS (SELECT FROM administrator_requests WHERE email = NEW.email AND status = 'approved' AND decided_at = now()) THEN
    RAISE EXCEPTION 'administrator %: two other administrators must request and approve this', NEW.email USING ERRCODE = 'TG067';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER administrators_are_admitted BEFORE INSERT OR UPDATE ON console_users FOR EACH ROW
  WHEN (NEW.role = 'administrator') EXECUTE FUNCTION guard_administrator();
