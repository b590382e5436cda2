-- What a program changes by its client credential is in the audit chain, as what people change in the console.
ALTER TABLE "audit_records" ALTER COLUMN "administrator_id" DROP NOT NULL;
ALTER TABLE "audit_records" ADD COLUMN "credential_id" UUID;
ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_credential_id_fkey" FOREIGN KEY ("credential_id") REFERENCES "credentials"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
