-- AlterEnum
ALTER TYPE "mail_topic" ADD VALUE 'monthly_report';

-- CreateTable
CREATE TABLE "monthly_report_subscriptions" (
    "user_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "time_zone" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "month_ends_at" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "monthly_report_subscriptions_pkey" PRIMARY KEY ("user_id","merchant_id")
);

-- CreateIndex
CREATE INDEX "monthly_report_subscriptions_month_ends_at_idx" ON "monthly_report_subscriptions"("month_ends_at");

-- AddForeignKey
ALTER TABLE "monthly_report_subscriptions" ADD CONSTRAINT "monthly_report_subscriptions_user_id_merchant_id_fkey" FOREIGN KEY ("user_id", "merchant_id") REFERENCES "console_members"("user_id", "merchant_id") ON DELETE CASCADE ON UPDATE CASCADE;
