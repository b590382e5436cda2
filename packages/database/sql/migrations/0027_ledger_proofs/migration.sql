-- Proofs of the ledger: asked for by an administrator or at night, run by a worker.
CREATE TABLE "ledger_proofs" (
    "id" UUID NOT NULL,
    "requested_by_id" UUID,
    "requested_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "started_at" TIMESTAMPTZ,
    "leased_by" UUID,
    "leased_until" TIMESTAMPTZ,
    "finished_at" TIMESTAMPTZ,
    "sound" BOOLEAN,
    "faults" TEXT[],
    "error" TEXT,

    CONSTRAINT "ledger_proofs_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "ledger_proofs_requested_at_idx" ON "ledger_proofs"("requested_at" DESC);
-- One is open at a time: Prisma cannot express it.
CREATE UNIQUE INDEX "ledger_proofs_one_open" ON "ledger_proofs"((true)) WHERE "finished_at" IS NULL;
ALTER TABLE "ledger_proofs" ADD CONSTRAINT "ledger_proofs_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
