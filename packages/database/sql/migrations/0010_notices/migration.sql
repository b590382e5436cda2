-- What a merchant's people must see: an entry of the timeline that stays before them until one of them dismisses it.
CREATE TABLE "notices" (
    "id" BIGINT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "dismissed_at" TIMESTAMPTZ,
    "dismissed_by_id" UUID,

    CONSTRAINT "notices_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "notices_merchant_id_mode_id_idx" ON "notices"("merchant_id", "mode", "id" DESC);
ALTER TABLE "notices" ADD CONSTRAINT "notices_id_fkey" FOREIGN KEY ("id") REFERENCES "timeline_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "notices" ADD CONSTRAINT "notices_dismissed_by_id_fkey" FOREIGN KEY ("dismissed_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
