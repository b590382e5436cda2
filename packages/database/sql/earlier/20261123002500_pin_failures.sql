-- Wrong PINs, counted per account and per client address over all processes. Logged: a crash must open no lock.
CREATE TABLE "pin_failures" (
    "key" BYTEA NOT NULL,
    "failures" INTEGER NOT NULL,
    "counted_at" TIMESTAMPTZ NOT NULL,
    "locked_until" TIMESTAMPTZ NOT NULL,
    "stale_at" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "pin_failures_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "pin_failures_stale_at_idx" ON "pin_failures"("stale_at");

-- What is counted: how many failures are free, after how long each is forgotten, and how long the locks last that the
-- last free one and each further one bring; the last of them repeats.
CREATE TYPE pin_counter AS (key bytea, free integer, forget_seconds integer, lock_seconds integer[]);
