-- How each backup went, for the console, the metrics and their alerts.
CREATE TABLE "backup_reports" (
    "id" UUID NOT NULL,
    "finished_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "error" TEXT,

    CONSTRAINT "backup_reports_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "backup_reports_finished_at_idx" ON "backup_reports"("finished_at" DESC);
