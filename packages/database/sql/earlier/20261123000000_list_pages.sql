-- Any page of a list within one day. day_counts finds the day; span_counts finds the ten minutes of it, whose rows are then
-- skipped in an index, from the nearer end. Ten minutes, because a finer measure has more counters to add up than it saves
-- rows to skip: a day has at most 144 times 16 of a status, and a merchant with a million orders a day skips 3,500 of an index.
CREATE TABLE "span_counts" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" "counted_kind" NOT NULL,
    "starts_at" TIMESTAMPTZ NOT NULL,
    "status" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "span_counts_pkey" PRIMARY KEY ("merchant_id","mode","kind","starts_at","status","slot")
);
ALTER TABLE "span_counts" ADD CONSTRAINT "span_counts_merchant_id_fkey"
  FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The lists of one reference and of one payment have no counters: they are counted and skipped in an index that holds
-- all that they ask for.
DROP INDEX "orders_merchant_id_mode_reference_idx";
CREATE INDEX "orders_merchant_id_mode_reference_created_at_id_state_idx"
  ON "orders"("merchant_id", "mode", "reference", "created_at" DESC, "id" DESC, "state");
DROP INDEX "refunds_order_id_idx";
CREATE INDEX "refunds_order_id_created_at_id_status_idx" ON "refunds"("order_id", "created_at" DESC, "id" DESC, "status");

-- What was there before. The indexes' change above has locked both tables, so that nothing is counted twice or left out.
INSERT INTO span_counts (merchant_id, mode, kind, starts_at, status, slot, count)
  SELECT merchant_id, mode, 'order'::counted_kind, date_bin('10 minutes', created_at, '2000-01-01 00:00:00+00'), state::text, 0, count(*) FROM orders GROUP BY 1, 2, 4, 5
  UNION ALL SELECT merchant_id, mode, 'refund'::counted_kind, date_bin('10 minutes', created_at, '2000-01-01 00:00:00+00'), status::text, 0, count(*) FROM refunds GROUP BY 1, 2, 4, 5;
