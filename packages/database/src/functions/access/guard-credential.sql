-- A credential's owner, mode, kind, client ID, creator, predecessor, secret and permissions are immutable, so a rotation creates a new
-- credential. Revocation is final. Violations raise TG092.
CREATE OR REPLACE FUNCTION guard_credential() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.merchant_id, NEW.mode, NEW.kind, NEW.client_id, NEW.secret_hash, NEW.read_only, NEW.order_only, NEW.reports_only, NEW.created_by_id, NEW.replaces_id)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.mode, OLD.kind, OLD.client_id, OLD.secret_hash, OLD.read_only, OLD.order_only, OLD.reports_only, OLD.created_by_id, OLD.replaces_id) THEN
    RAISE EXCEPTION 'credential %: owner, secret and permissions are immutable', OLD.id USING ERRCODE = 'TG092';
  END IF;
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN
    RAISE EXCEPTION 'credential % is revoked and cannot be reactivated', OLD.id USING ERRCODE = 'TG092';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER credentials_are_guarded BEFORE UPDATE ON credentials FOR EACH ROW EXECUTE FUNCTION guard_credential();
