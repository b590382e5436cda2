-- Notices go to a merchant's people by mail: one row for each, sent by a worker.
CREATE TYPE "mail_status" AS ENUM ('waiting', 'sent', 'given_up');
ALTER TABLE "merchants" ADD COLUMN     "notice_email" TEXT;
CREATE TABLE "notice_mails" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "notice_id" BIGINT NOT NULL,
    "address" TEXT NOT NULL,
    "status" "mail_status" NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "leased_by" UUID,
    "leased_until" TIMESTAMPTZ,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "settled_at" TIMESTAMPTZ,

    CONSTRAINT "notice_mails_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "notice_mails_notice_id_address_key" ON "notice_mails"("notice_id", "address");
-- What is due: the others are never looked at again.
CREATE INDEX "notice_mails_waiting_idx" ON "notice_mails"("next_attempt_at") WHERE "status" = 'waiting';
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_notice_id_fkey" FOREIGN KEY ("notice_id") REFERENCES "notices"("id") ON DELETE CASCADE ON UPDATE CASCADE;
