-- An event names what it tells of: an order, a refund of an order, or a payout, of its own merchant and mode. Looked up by these
-- columns, never by its body.
ALTER TABLE "events" ADD COLUMN "refund_id" TEXT, ADD COLUMN "payout_id" TEXT;

-- Events are final for everybody but this.
ALTER TABLE events DISABLE TRIGGER USER;
UPDATE events SET refund_id = body::json -> 'data' ->> 'refund_id' WHERE name LIKE 'refund.%';
UPDATE events SET payout_id = body::json ->> 'payout_id' WHERE name LIKE 'payout.%';
ALTER TABLE events ENABLE TRIGGER USER;

CREATE UNIQUE INDEX "orders_id_merchant_id_mode_key" ON "orders"("id", "merchant_id", "mode");
CREATE UNIQUE INDEX "refunds_id_order_id_key" ON "refunds"("id", "order_id");
CREATE UNIQUE INDEX "payouts_id_merchant_id_mode_key" ON "payouts"("id", "merchant_id", "mode");

ALTER TABLE "events" DROP CONSTRAINT "events_order_id_mode_fkey";
ALTER TABLE "events" ADD CONSTRAINT "events_order_id_merchant_id_mode_fkey" FOREIGN KEY ("order_id", "merchant_id", "mode") REFERENCES "orders"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "events" ADD CONSTRAINT "events_refund_id_order_id_fkey" FOREIGN KEY ("refund_id", "order_id") REFERENCES "refunds"("id", "order_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "events" ADD CONSTRAINT "events_payout_id_merchant_id_mode_fkey" FOREIGN KEY ("payout_id", "merchant_id", "mode") REFERENCES "payouts"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A refund and a payout are settled once.
CREATE UNIQUE INDEX "events_refund_id_name_key" ON "events"("refund_id", "name");
CREATE UNIQUE INDEX "events_payout_id_name_key" ON "events"("payout_id", "name");

-- Records of one subject, such as the wallet of a movement of funds.
CREATE INDEX "audit_records_subject_idx" ON "audit_records"("subject");
