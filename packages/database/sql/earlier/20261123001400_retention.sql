CREATE TABLE "event_retention" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "pruned_before" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "event_retention_pkey" PRIMARY KEY ("id")
);

INSERT INTO event_retention (pruned_before) VALUES ('2000-01-01T00:00:00Z');
CREATE INDEX "events_created_at_idx" ON "events"("created_at");
CREATE INDEX "attempts_started_at_idx" ON "attempts"("started_at");
