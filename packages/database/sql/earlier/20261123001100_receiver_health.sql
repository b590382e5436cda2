-- How a merchant's endpoint is: paused by its owner, disabled by Tillgate, removed, and how its deliveries went. A
-- rotation keeps the old secret beside the new one until the overlap ends.
ALTER TABLE "receivers"
  ADD COLUMN "deliveries_lag" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "disabled_reason" TEXT,
  ADD COLUMN "failing_since" TIMESTAMPTZ,
  ADD COLUMN "failures_in_row" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "last_failure_at" TIMESTAMPTZ,
  ADD COLUMN "last_failure_kind" TEXT,
  ADD COLUMN "last_failure_status" INTEGER,
  ADD COLUMN "last_success_at" TIMESTAMPTZ,
  ADD COLUMN "paused_at" TIMESTAMPTZ,
  ADD COLUMN "previous_encryption_key_id" TEXT,
  ADD COLUMN "previous_secret_ciphertext" BYTEA,
  ADD COLUMN "previous_secret_expires_at" TIMESTAMPTZ,
  ADD COLUMN "removed_at" TIMESTAMPTZ,
  ADD COLUMN "warned_at" TIMESTAMPTZ;

UPDATE receivers SET disabled_reason = 'gone' WHERE disabled_at IS NOT NULL;

-- A merchant has one endpoint an address; a removed one no longer counts.
CREATE UNIQUE INDEX receivers_one_per_address ON receivers (merchant_id, mode, address) WHERE removed_at IS NULL;
CREATE INDEX receivers_lagging ON receivers (id) WHERE deliveries_lag;

-- What a merchant should know and no event can tell: a webhook about a dead webhook would reach nobody. Details name
-- hosts, never whole addresses, which may carry a secret in path or query.
CREATE TABLE "timeline_entries" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" TEXT NOT NULL,
    "receiver_id" UUID,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "timeline_entries_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "timeline_entries_merchant_id_mode_id_idx" ON "timeline_entries"("merchant_id", "mode", "id" DESC);
CREATE INDEX "timeline_entries_created_at_idx" ON "timeline_entries"("created_at");
ALTER TABLE "timeline_entries" ADD CONSTRAINT "timeline_entries_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "timeline_entries" ADD CONSTRAINT "timeline_entries_receiver_id_mode_fkey" FOREIGN KEY ("receiver_id", "mode") REFERENCES "receivers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Attempts are numbered through; a delivery that is sent again starts the schedule anew after those made before.
ALTER TABLE "deliveries"
  ADD COLUMN "attempts_before" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "given_up_because" TEXT;

-- Lists of a receiver's deliveries, and those that must follow when its state changes.
CREATE INDEX deliveries_of_receiver ON deliveries (receiver_id, created_at DESC, id DESC) WHERE receiver_id IS NOT NULL;
CREATE INDEX deliveries_waiting ON deliveries (receiver_id) WHERE status IN ('pending', 'held') AND receiver_id IS NOT NULL;
