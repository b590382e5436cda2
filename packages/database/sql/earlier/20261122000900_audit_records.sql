-- What administrators change is recorded in the transaction of the change. One chain per merchant, and one for what
-- belongs to no merchant: each record's hash covers the hash of the one before it, so that a record that is changed, put
-- between or taken out shows.
CREATE TABLE "audit_records" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID,
    "number" INTEGER NOT NULL,
    "administrator_id" UUID NOT NULL,
    "administrator" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "previous_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_records_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_administrator_id_fkey" FOREIGN KEY ("administrator_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE UNIQUE INDEX audit_records_one_chain ON audit_records (merchant_id, number) WHERE merchant_id IS NOT NULL;
CREATE UNIQUE INDEX audit_records_one_house_chain ON audit_records (number) WHERE merchant_id IS NULL;
