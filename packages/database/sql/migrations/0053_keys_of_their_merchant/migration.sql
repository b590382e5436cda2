-- An idempotency key names a row of its own merchant and mode, which is there at the commit.
CREATE UNIQUE INDEX "refunds_id_merchant_id_mode_key" ON "refunds"("id", "merchant_id", "mode");
ALTER TABLE "idempotency_keys"
  ADD COLUMN "order_id" TEXT GENERATED ALWAYS AS (CASE WHEN operation IN ('create_order', 'create_payment') THEN resource_id END) STORED,
  ADD COLUMN "refund_id" TEXT GENERATED ALWAYS AS (CASE WHEN operation = 'refund_payment' THEN resource_id END) STORED,
  ADD COLUMN "payout_id" TEXT GENERATED ALWAYS AS (CASE WHEN operation = 'execute_payout' THEN resource_id END) STORED;
ALTER TABLE "idempotency_keys"
  ADD CONSTRAINT "idempotency_keys_order_id_merchant_id_mode_fkey" FOREIGN KEY ("order_id", "merchant_id", "mode")
    REFERENCES "orders"("id", "merchant_id", "mode") DEFERRABLE INITIALLY DEFERRED,
  ADD CONSTRAINT "idempotency_keys_refund_id_merchant_id_mode_fkey" FOREIGN KEY ("refund_id", "merchant_id", "mode")
    REFERENCES "refunds"("id", "merchant_id", "mode") DEFERRABLE INITIALLY DEFERRED,
  ADD CONSTRAINT "idempotency_keys_payout_id_merchant_id_mode_fkey" FOREIGN KEY ("payout_id", "merchant_id", "mode")
    REFERENCES "payouts"("id", "merchant_id", "mode") DEFERRABLE INITIALLY DEFERRED;

-- Deliveries, replays and entries of the timeline belong to the merchant of what they name.
CREATE UNIQUE INDEX "events_id_merchant_id_mode_key" ON "events"("id", "merchant_id", "mode");
CREATE UNIQUE INDEX "receivers_id_merchant_id_mode_key" ON "receivers"("id", "merchant_id", "mode");

ALTER TABLE "deliveries"
  DROP CONSTRAINT "deliveries_event_id_mode_fkey",
  DROP CONSTRAINT "deliveries_receiver_id_mode_fkey",
  DROP CONSTRAINT "deliveries_credential_id_mode_fkey",
  ADD CONSTRAINT "deliveries_event_id_merchant_id_mode_fkey" FOREIGN KEY ("event_id", "merchant_id", "mode")
    REFERENCES "events"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "deliveries_receiver_id_merchant_id_mode_fkey" FOREIGN KEY ("receiver_id", "merchant_id", "mode")
    REFERENCES "receivers"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "deliveries_credential_id_merchant_id_mode_fkey" FOREIGN KEY ("credential_id", "merchant_id", "mode")
    REFERENCES "credentials"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "replays"
  DROP CONSTRAINT "replays_receiver_id_mode_fkey",
  DROP CONSTRAINT "replays_credential_id_mode_fkey",
  ADD CONSTRAINT "replays_receiver_id_merchant_id_mode_fkey" FOREIGN KEY ("receiver_id", "merchant_id", "mode")
    REFERENCES "receivers"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "replays_credential_id_merchant_id_mode_fkey" FOREIGN KEY ("credential_id", "merchant_id", "mode")
    REFERENCES "credentials"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "timeline_entries"
  DROP CONSTRAINT "timeline_entries_receiver_id_mode_fkey",
  ADD CONSTRAINT "timeline_entries_receiver_id_merchant_id_mode_fkey" FOREIGN KEY ("receiver_id", "merchant_id", "mode")
    REFERENCES "receivers"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

DROP INDEX "events_id_mode_key";
DROP INDEX "receivers_id_mode_key";
DROP INDEX "credentials_id_mode_key";
