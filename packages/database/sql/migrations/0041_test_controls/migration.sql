-- What a merchant ordered of its sandbox, and what became of a delivery by it.
CREATE TABLE "test_controls" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "control" TEXT NOT NULL,
    "remaining" INTEGER NOT NULL,
    "seconds" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL DEFAULT (clock_timestamp() + '01:00:00'::interval),

    CONSTRAINT "test_controls_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "test_controls_merchant_id_created_at_idx" ON "test_controls"("merchant_id", "created_at");
CREATE INDEX "test_controls_expires_at_idx" ON "test_controls"("expires_at");
ALTER TABLE "test_controls" ADD CONSTRAINT "test_controls_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "deliveries" ADD COLUMN "test_control" TEXT, ADD COLUMN "controlled_at" TIMESTAMPTZ, ADD COLUMN "held_seconds" INTEGER;
