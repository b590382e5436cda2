-- What is mailed beside notices about endpoints: what waits for approval, and what a day brought.
CREATE TYPE "mail_topic" AS ENUM ('approvals', 'summary');

CREATE TABLE "mail_subscriptions" (
    "merchant_id" UUID NOT NULL,
    "topic" "mail_topic" NOT NULL,
    "address" TEXT NOT NULL,

    CONSTRAINT "mail_subscriptions_pkey" PRIMARY KEY ("merchant_id","topic","address")
);
CREATE TABLE "digest_mails" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "topic" "mail_topic" NOT NULL,
    "merchant_id" UUID,
    "about" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "status" "mail_status" NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "leased_by" UUID,
    "leased_until" TIMESTAMPTZ,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "settled_at" TIMESTAMPTZ,

    CONSTRAINT "digest_mails_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "digest_mails_topic_about_address_key" ON "digest_mails"("topic", "about", "address");
CREATE INDEX "digest_mails_created_at_idx" ON "digest_mails"("created_at");
-- What workers look for.
CREATE INDEX "digest_mails_waiting_idx" ON "digest_mails"("next_attempt_at") WHERE "status" = 'waiting';
ALTER TABLE "mail_subscriptions" ADD CONSTRAINT "mail_subscriptions_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "digest_mails" ADD CONSTRAINT "digest_mails_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
