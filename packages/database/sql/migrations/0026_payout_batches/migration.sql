-- Files of payouts that console users bring, and what has become of each line.
CREATE TYPE "payout_line_status" AS ENUM ('checking', 'ready', 'paying', 'done', 'failed');
CREATE TABLE "payout_batches" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "name" TEXT NOT NULL,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "round" INTEGER NOT NULL DEFAULT 1,
    "confirmed_at" TIMESTAMPTZ,
    "confirmed_by_id" UUID,
    "request_id" TEXT,
    "discarded_at" TIMESTAMPTZ,

    CONSTRAINT "payout_batches_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "payout_batch_lines" (
    "batch_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "recipient" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "sender_currency" VARCHAR(10) NOT NULL,
    "receiver_currency" VARCHAR(10) NOT NULL,
    "reference" TEXT NOT NULL,
    "description" TEXT,
    "status" "payout_line_status" NOT NULL DEFAULT 'checking',
    "leased_by" UUID,
    "leased_until" TIMESTAMPTZ,
    "failure" TEXT,
    "wallet_user_id" UUID,
    "fee" BIGINT,
    "rate" DECIMAL(40,20),
    "receiver_amount" BIGINT,
    "payout_id" TEXT,

    CONSTRAINT "payout_batch_lines_pkey" PRIMARY KEY ("batch_id","number")
);
CREATE UNIQUE INDEX "payout_batches_id_merchant_id_mode_key" ON "payout_batches"("id", "merchant_id", "mode");
CREATE INDEX "payout_batches_merchant_id_mode_created_at_id_idx" ON "payout_batches"("merchant_id", "mode", "created_at" DESC, "id" DESC);
CREATE UNIQUE INDEX "payout_batch_lines_payout_id_key" ON "payout_batch_lines"("payout_id");
CREATE UNIQUE INDEX "payout_batch_lines_batch_id_reference_key" ON "payout_batch_lines"("batch_id", "reference");
CREATE INDEX "payout_batch_lines_merchant_id_mode_recipient_idx" ON "payout_batch_lines"("merchant_id", "mode", "recipient");
-- What workers look for: Prisma cannot express it.
CREATE INDEX "payout_batch_lines_open" ON "payout_batch_lines"("number") WHERE "status" IN ('checking', 'paying');
ALTER TABLE "payout_batches" ADD CONSTRAINT "payout_batches_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payout_batches" ADD CONSTRAINT "payout_batches_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payout_batches" ADD CONSTRAINT "payout_batches_confirmed_by_id_fkey" FOREIGN KEY ("confirmed_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payout_batch_lines" ADD CONSTRAINT "payout_batch_lines_batch_id_merchant_id_mode_fkey" FOREIGN KEY ("batch_id", "merchant_id", "mode") REFERENCES "payout_batches"("id", "merchant_id", "mode") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "payout_batch_lines" ADD CONSTRAINT "payout_batch_lines_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payout_batch_lines" ADD CONSTRAINT "payout_batch_lines_payout_id_merchant_id_mode_fkey" FOREIGN KEY ("payout_id", "merchant_id", "mode") REFERENCES "payouts"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
