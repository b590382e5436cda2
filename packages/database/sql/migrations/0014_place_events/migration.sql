-- The place of an order's next event is found without reading its earlier ones.
CREATE INDEX "events_order_id_turn_idx" ON "events"("order_id", "turn");
DROP INDEX "events_order_id_idx";
