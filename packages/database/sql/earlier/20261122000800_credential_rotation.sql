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
