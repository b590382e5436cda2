-- AlterTable
ALTER TABLE "events" ADD COLUMN     "account_id" UUID,
ADD COLUMN     "report_date" DATE;

-- CreateTable
CREATE TABLE "report_cursors" (
    "account_id" UUID NOT NULL,
    "next_date" DATE NOT NULL DEFAULT ((clock_timestamp() AT TIME ZONE 'UTC'::text))::date,

    CONSTRAINT "report_cursors_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "report_cursors_next_date_account_id_idx" ON "report_cursors"("next_date", "account_id");

-- Partial, so that the events of payments need not enter it.
CREATE UNIQUE INDEX "events_once_per_report" ON "events" (account_id, report_date) WHERE (account_id IS NOT NULL);

-- AddForeignKey
ALTER TABLE "report_cursors" ADD CONSTRAINT "report_cursors_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Reports of existing wallets are announced from the day of the upgrade.
INSERT INTO "report_cursors" ("account_id") SELECT "id" FROM "accounts" WHERE "merchant_id" IS NOT NULL;
