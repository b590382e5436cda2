-- Changes of the lists' totals are added as rows of their own and folded into the counters later. So no two changes meet on
-- a counter any more, and the slots that kept them apart go: their sums stay.
-- Whatever was changed so far is counted first: payouts were counted at the commit.
LOCK TABLE "orders", "refunds", "payouts" IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE "count_deltas" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" "counted_kind" NOT NULL,
    "starts_at" TIMESTAMPTZ NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "status" TEXT NOT NULL,
    "change" INTEGER NOT NULL,

    CONSTRAINT "count_deltas_pkey" PRIMARY KEY ("merchant_id","mode","kind","starts_at","id")
);

CREATE TABLE "day_sums" AS SELECT merchant_id, mode, kind, day, status, sum(count)::int AS count FROM "day_counts" GROUP BY 1, 2, 3, 4, 5;
TRUNCATE "day_counts";
ALTER TABLE "day_counts" DROP CONSTRAINT "day_counts_pkey",
DROP COLUMN "slot",
ADD CONSTRAINT "day_counts_pkey" PRIMARY KEY ("merchant_id", "mode", "kind", "day", "status");
INSERT INTO "day_counts" (merchant_id, mode, kind, day, status, count) SELECT merchant_id, mode, kind, day, status, count FROM "day_sums";
DROP TABLE "day_sums";

CREATE TABLE "span_sums" AS SELECT merchant_id, mode, kind, starts_at, status, sum(count)::int AS count FROM "span_counts" GROUP BY 1, 2, 3, 4, 5;
TRUNCATE "span_counts";
ALTER TABLE "span_counts" DROP CONSTRAINT "span_counts_pkey",
DROP COLUMN "slot",
ADD CONSTRAINT "span_counts_pkey" PRIMARY KEY ("merchant_id", "mode", "kind", "starts_at", "status");
INSERT INTO "span_counts" (merchant_id, mode, kind, starts_at, status, count) SELECT merchant_id, mode, kind, starts_at, status, count FROM "span_sums";
DROP TABLE "span_sums";
