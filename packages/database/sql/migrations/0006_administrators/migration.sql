-- Administrators can be disabled, and a new one, or one that is enabled again, needs two who are there.
ALTER TABLE "console_users" ADD COLUMN "disabled_at" TIMESTAMPTZ;

CREATE TYPE "administrator_request_kind" AS ENUM ('add', 'enable');

CREATE TABLE "administrator_requests" (
    "id" UUID NOT NULL,
    "kind" "administrator_request_kind" NOT NULL,
    "email" TEXT NOT NULL,
    "half_ciphertext" BYTEA NOT NULL,
    "encryption_key_id" TEXT NOT NULL,
    "status" "approval_status" NOT NULL DEFAULT 'pending',
    "requested_by_id" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "decided_by_id" UUID,
    "decided_at" TIMESTAMPTZ,

    CONSTRAINT "administrator_requests_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "administrator_requests" ADD CONSTRAINT "administrator_requests_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "administrator_requests" ADD CONSTRAINT "administrator_requests_decided_by_id_fkey" FOREIGN KEY ("decided_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE UNIQUE INDEX administrator_requests_one_per_email ON administrator_requests (email) WHERE status = 'pending';
