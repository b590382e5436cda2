-- CreateTable
CREATE TABLE "shop_comparisons" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "site" TEXT NOT NULL,
    "credential_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "compared" INTEGER NOT NULL,
    "skipped" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "last_sent_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "completed_at" TIMESTAMPTZ,

    CONSTRAINT "shop_comparisons_pkey" PRIMARY KEY ("merchant_id","mode","site")
);

-- CreateTable
CREATE TABLE "shop_differences" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "site" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "order_number" TEXT NOT NULL,
    "order_url" TEXT,
    "subject" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "repair" TEXT,
    "text_values" JSONB NOT NULL,
    "found_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "last_sent_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "shop_differences_pkey" PRIMARY KEY ("merchant_id","mode","site","order_id","subject","subject_id","field")
);

-- AddForeignKey
ALTER TABLE "shop_comparisons" ADD CONSTRAINT "shop_comparisons_credential_id_merchant_id_mode_fkey" FOREIGN KEY ("credential_id", "merchant_id", "mode") REFERENCES "credentials"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shop_differences" ADD CONSTRAINT "shop_differences_merchant_id_mode_site_fkey" FOREIGN KEY ("merchant_id", "mode", "site") REFERENCES "shop_comparisons"("merchant_id", "mode", "site") ON DELETE CASCADE ON UPDATE CASCADE;

