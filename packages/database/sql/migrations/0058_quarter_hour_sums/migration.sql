-- Home draws the days of the reader's time zone, so amounts are summed by quarters of an hour: every zone's days begin at one. What waits in
-- count_deltas is of ten minutes, which are parts of no quarter: it is folded here, and the sums begin with the rows as they are.
LOCK TABLE "orders", "refunds", "payouts" IN SHARE ROW EXCLUSIVE MODE;

WITH taken AS (DELETE FROM "count_deltas" RETURNING *),
days AS (
  INSERT INTO "day_counts" AS c (merchant_id, mode, kind, day, status, count)
    SELECT merchant_id, mode, kind, (starts_at AT TIME ZONE 'UTC')::date, status, sum(change) FROM taken GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
    ON CONFLICT (merchant_id, mode, kind, day, status) DO UPDATE SET count = c.count + EXCLUDED.count),
spans AS (
  INSERT INTO "span_counts" AS c (merchant_id, mode, kind, starts_at, status, count)
    SELECT merchant_id, mode, kind, starts_at, status, sum(change) FROM taken GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
    ON CONFLICT (merchant_id, mode, kind, starts_at, status) DO UPDATE SET count = c.count + EXCLUDED.count)
INSERT INTO "day_sums" AS c (merchant_id, mode, kind, day, status, currency, amount)
  SELECT merchant_id, mode, kind, (starts_at AT TIME ZONE 'UTC')::date, status, currency, sum(amount) FROM taken
  GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(amount) <> 0
  ON CONFLICT (merchant_id, mode, kind, day, status, currency) DO UPDATE SET amount = c.amount + EXCLUDED.amount;

CREATE TABLE "quarter_hour_sums" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" "counted_kind" NOT NULL,
    "starts_at" TIMESTAMPTZ NOT NULL,
    "status" TEXT NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "count" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "quarter_hour_sums_pkey" PRIMARY KEY ("merchant_id","mode","kind","starts_at","status","currency")
);
ALTER TABLE "quarter_hour_sums" ADD CONSTRAINT "quarter_hour_sums_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
INSERT INTO "quarter_hour_sums" (merchant_id, mode, kind, starts_at, status, currency, count, amount)
  SELECT merchant_id, mode, kind, date_bin('15 minutes', created_at, '2000-01-01 00:00:00+00'), status, currency, count(*), sum(amount) FROM (
    SELECT merchant_id, mode, 'order'::counted_kind AS kind, created_at, state::text AS status, currency, amount FROM "orders"
    UNION ALL SELECT merchant_id, mode, 'refund', created_at, status::text, currency, amount FROM "refunds"
    UNION ALL SELECT merchant_id, mode, 'payout', created_at, status::text, sender_currency, amount FROM "payouts") AS counted
  GROUP BY 1, 2, 3, 4, 5, 6;
