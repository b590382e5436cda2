-- A rotation adds a row with the new secret behind the same client id; the old row names its end in expires_at, and
-- until then both secrets work.
DROP INDEX "credentials_client_id_key";
CREATE INDEX "credentials_client_id_idx" ON "credentials"("client_id");

ALTER TABLE "credentials" ADD COLUMN "replaces_id" UUID;
CREATE UNIQUE INDEX "credentials_replaces_id_merchant_id_mode_key" ON "credentials"("replaces_id", "merchant_id", "mode");
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_replaces_id_merchant_id_mode_fkey"
  FOREIGN KEY ("replaces_id", "merchant_id", "mode") REFERENCES "credentials"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A client id has one secret that does not end: so it belongs to one merchant and mode, and nothing is rotated twice.
CREATE UNIQUE INDEX credentials_one_lasting_secret ON credentials (client_id) WHERE expires_at IS NULL;

-- What a credential is never changes: a rotation makes another one, and what was revoked stays so.
CREATE FUNCTION guard_credential() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.merchant_id, NEW.mode, NEW.kind, NEW.client_id, NEW.secret_hash, NEW.replaces_id)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.mode, OLD.kind, OLD.client_id, OLD.secret_hash, OLD.replaces_id) THEN
    RAISE EXCEPTION 'credential % keeps its secret and owner', OLD.id USING ERRCODE = 'TG092';
  END IF;
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN
    RAISE EXCEPTION 'credential % stays revoked', OLD.id USING ERRCODE = 'TG092';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER credentials_are_guarded BEFORE UPDATE ON credentials FOR EACH ROW EXECUTE FUNCTION guard_credential();
