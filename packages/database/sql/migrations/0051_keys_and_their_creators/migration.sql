-- A key that only creates and cancels orders: it cannot refund.
ALTER TABLE "credentials" ADD COLUMN "order_only" BOOLEAN NOT NULL DEFAULT false;
-- Who created it in the console or by command; null for the console's own, and for those from before this column without a record.
ALTER TABLE "credentials" ADD COLUMN "created_by_id" UUID;
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_created_by_id_fkey"
  FOREIGN KEY ("created_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
UPDATE "credentials" c SET "created_by_id" = a."administrator_id" FROM "audit_records" a
  WHERE a."merchant_id" = c."merchant_id" AND a."administrator_id" IS NOT NULL
    AND ((a."action" = 'credential.create' AND a."subject" = c."id"::text)
      OR (a."action" = 'credential.rotate' AND a."details"::json ->> 'new_credential' = c."id"::text));
CREATE INDEX "credentials_created_by_id_idx" ON "credentials"("created_by_id");
