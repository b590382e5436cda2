-- A console user may be a member of several merchants, in each with a role. Each merchant's user so far is its owner.
CREATE TYPE "member_role" AS ENUM ('owner', 'developer', 'finance', 'viewer');
CREATE TABLE "console_members" (
    "user_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "role" "member_role" NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "console_members_pkey" PRIMARY KEY ("user_id","merchant_id")
);
CREATE INDEX "console_members_merchant_id_idx" ON "console_members"("merchant_id");
ALTER TABLE "console_members" ADD CONSTRAINT "console_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "console_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "console_members" ADD CONSTRAINT "console_members_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
INSERT INTO "console_members" ("user_id", "merchant_id", "role") SELECT "id", "merchant_id", 'owner' FROM "console_users" WHERE "merchant_id" IS NOT NULL;
ALTER TABLE "console_users" DROP COLUMN "merchant_id";
