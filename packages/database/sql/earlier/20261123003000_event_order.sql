-- Events in an order that a reader can follow without missing one: by the transaction that wrote them, then by number.
-- A number alone would not do: whoever took an earlier number may commit later. A reader takes only transactions below
-- the oldest one that still runs, so that nothing can appear behind his back.
ALTER TABLE "events" ADD COLUMN "turn" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
ADD COLUMN "number" BIGSERIAL NOT NULL;
CREATE INDEX "events_merchant_id_mode_turn_number_idx" ON "events"("merchant_id", "mode", "turn", "number");
