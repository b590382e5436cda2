-- Invitations to be a member of a merchant are mailed links too.
CREATE TYPE "console_link_kind" AS ENUM ('password', 'invitation');
ALTER TABLE "console_links" ADD COLUMN     "email" TEXT,
ADD COLUMN     "invited_by_id" UUID,
ADD COLUMN     "kind" "console_link_kind" NOT NULL DEFAULT 'password',
ADD COLUMN     "merchant_id" UUID,
ADD COLUMN     "role" "member_role",
ALTER COLUMN "user_id" DROP NOT NULL;
ALTER TABLE "console_links" ALTER COLUMN "kind" DROP DEFAULT;
CREATE INDEX "console_links_merchant_id_idx" ON "console_links"("merchant_id");
ALTER TABLE "console_links" ADD CONSTRAINT "console_links_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "console_links" ADD CONSTRAINT "console_links_invited_by_id_fkey" FOREIGN KEY ("invited_by_id") REFERENCES "console_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
