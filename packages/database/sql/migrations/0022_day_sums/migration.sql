-- The console shows what came in and went out by day, so the amounts are summed with the counts.
-- Whatever is not folded yet has no amount: it is folded here, and the sums begin with the rows as they are.
LOCK TABLE "orders", "refunds", "payouts" IN SHARE ROW EXCLUSIVE MODE;

WITH taken AS (DELETE FROM "count_deltas" RETURNING *),
days AS (
  INSERT INTO "day_counts" AS c (merchant_id, mode, kind, day, status, count)
    SELECT merchant_id, mode, kind, (starts_at AT TIME ZONE 'UTC')::date, status, sum(change) FROM taken GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
    ON CONFLICT (merchant_id, mode, kind, day, status) DO UPDATE SET count = c.count + EXCLUDED.count)
INSERT INTO "span_counts" AS c (merchant_id, mode, kind, starts_at, status, count)
  SELECT merchant_id, mode, kind, starts_at, status, sum(change) FROM taken GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
  ON CONFLICT (merchant_id, mode, kind, starts_at, status) DO UPDATE SET count = c.count + EXCLUDED.count;

ALTER TABLE "count_deltas" ADD COLUMN     "amount" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "currency" VARCHAR(10) NOT NULL DEFAULT '';

CREATE TABLE "day_sums" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" "counted_kind" NOT NULL,
    "day" DATE NOT NULL,
    "status" TEXT NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "day_sums_pkey" PRIMARY KEY ("merchant_id","mode","kind","day","status","currency")
);
ALTER TABLE "day_sums" ADD CONSTRAINT "day_sums_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
INSERT INTO "day_sums" (merchant_id, mode, kind, day, status, currency, amount)
  SELECT merchant_id, mode, 'order'::counted_kind, (created_at AT TIME ZONE 'UTC')::date, state::text, currency, sum(amount) FROM "orders" GROUP BY 1, 2, 4, 5, 6
  UNION ALL SELECT merchant_id, mode, 'refund', (created_at AT TIME ZONE 'UTC')::date, status::text, currency, sum(amount) FROM "refunds" GROUP BY 1, 2, 4, 5, 6
  UNION ALL SELECT merchant_id, mode, 'payout', (created_at AT TIME ZONE 'UTC')::date, status::text, sender_currency, sum(amount) FROM "payouts" GROUP BY 1, 2, 4, 5, 6;
