-- Modes never mix: what one of them names does not block the other.
DROP INDEX "transfers_external_reference_key";
CREATE UNIQUE INDEX "transfers_mode_external_reference_key" ON "transfers"("mode", "external_reference");

-- Zero at first: every live movement needs two administrators until they have agreed otherwise.
ALTER TABLE "currencies" ADD COLUMN "single_administrator_limit" BIGINT NOT NULL DEFAULT 0;
CREATE TYPE "approval_kind" AS ENUM ('deposit', 'withdrawal', 'single_limit');
CREATE TYPE "approval_status" AS ENUM ('pending', 'approved', 'rejected');

CREATE TABLE "approval_requests" (
    "id" UUID NOT NULL,
    "kind" "approval_kind" NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID,
    "currency" VARCHAR(10) NOT NULL,
    "amount" BIGINT NOT NULL,
    "external_reference" TEXT,
    "status" "approval_status" NOT NULL DEFAULT 'pending',
    "requested_by_id" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "decided_by_id" UUID,
    "decided_at" TIMESTAMPTZ,
    "transfer_id" UUID,

    CONSTRAINT "approval_requests_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_account_id_mode_currency_fkey" FOREIGN KEY ("account_id", "mode", "currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_currency_fkey" FOREIGN KEY ("currency") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_decided_by_id_fkey" FOREIGN KEY ("decided_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_transfer_id_mode_fkey" FOREIGN KEY ("transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was rejected may be asked for again.
CREATE UNIQUE INDEX approval_requests_one_per_reference ON approval_requests (mode, external_reference) WHERE status <> 'rejected';
CREATE UNIQUE INDEX approval_requests_one_limit ON approval_requests (currency) WHERE kind = 'single_limit' AND status = 'pending';
CREATE UNIQUE INDEX approval_requests_one_per_transfer ON approval_requests (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE INDEX approval_requests_pending ON approval_requests (requested_at) WHERE status = 'pending';
