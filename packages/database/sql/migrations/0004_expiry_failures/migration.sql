-- Orders that could not be expired: they are left alone for a while, so that they do not hold up all others.
CREATE TABLE "expiry_failures" (
    "order_id" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "next_attempt_at" TIMESTAMPTZ NOT NULL,
    "error" TEXT NOT NULL,

    CONSTRAINT "expiry_failures_pkey" PRIMARY KEY ("order_id")
);

ALTER TABLE "expiry_failures" ADD CONSTRAINT "expiry_failures_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
