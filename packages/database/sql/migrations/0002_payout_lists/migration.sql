-- Payouts are listed like orders and refunds: counted by day and ten minutes, and by status.

-- A value that is added to an enum cannot be used in the same transaction, so the type is built again. The one function that
-- takes it comes back with its own file.
DROP FUNCTION IF EXISTS count_day(uuid, mode, counted_kind, timestamptz, text, text);
ALTER TYPE "counted_kind" RENAME TO "counted_kind_before";
CREATE TYPE "counted_kind" AS ENUM ('order', 'refund', 'payout');
ALTER TABLE "day_counts" ALTER COLUMN "kind" TYPE "counted_kind" USING "kind"::text::"counted_kind";
ALTER TABLE "span_counts" ALTER COLUMN "kind" TYPE "counted_kind" USING "kind"::text::"counted_kind";
DROP TYPE "counted_kind_before";

CREATE INDEX "payouts_merchant_id_mode_status_created_at_id_idx" ON "payouts"("merchant_id", "mode", "status", "created_at" DESC, "id" DESC);

-- What was there before. The index above has locked the table, so that nothing is counted twice or left out.
INSERT INTO day_counts (merchant_id, mode, kind, day, status, slot, count)
  SELECT merchant_id, mode, 'payout', (created_at AT TIME ZONE 'UTC')::date, status::text, 0, count(*) FROM payouts GROUP BY 1, 2, 4, 5;
INSERT INTO span_counts (merchant_id, mode, kind, starts_at, status, slot, count)
  SELECT merchant_id, mode, 'payout', date_bin('10 minutes', created_at, '2000-01-01 00:00:00+00'), status::text, 0, count(*) FROM payouts GROUP BY 1, 2, 4, 5;
