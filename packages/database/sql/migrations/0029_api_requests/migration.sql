-- The log of merchants' calls of the API. It refers to nothing: a call costs as little as it can, and its log is kept for days only.
CREATE TABLE "api_requests" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "at" TIMESTAMPTZ NOT NULL,
    "dropped" INTEGER NOT NULL DEFAULT 0,
    "request_id" TEXT,
    "credential_id" UUID,
    "method" TEXT,
    "path" TEXT,
    "status" SMALLINT,
    "error_code" TEXT,
    "duration_ms" INTEGER,
    "client_address" TEXT,
    "about" TEXT,
    "request_body" TEXT,
    "answer_body" TEXT,

    CONSTRAINT "api_requests_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "api_requests_merchant_id_mode_id_idx" ON "api_requests"("merchant_id", "mode", "id" DESC);
CREATE INDEX "api_requests_request_id_idx" ON "api_requests"("request_id");
-- Whence a credential was used last.
ALTER TABLE "credentials" ADD COLUMN "last_used_address" TEXT;
