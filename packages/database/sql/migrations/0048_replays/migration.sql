-- Events of a range on their way again to one endpoint or address, one after the other.
CREATE TABLE "replays" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "mode" "mode" NOT NULL,
    "merchant_id" UUID NOT NULL,
    "receiver_id" UUID,
    "credential_id" UUID,
    "address" TEXT,
    "events" TEXT[],
    "from_time" TIMESTAMPTZ NOT NULL,
    "to_time" TIMESTAMPTZ NOT NULL,
    "turn" BIGINT NOT NULL DEFAULT 0,
    "number" BIGINT NOT NULL DEFAULT 0,
    "last_turn" BIGINT NOT NULL,
    "last_number" BIGINT NOT NULL,
    "skip_failed" BOOLEAN NOT NULL DEFAULT false,
    "state" TEXT NOT NULL DEFAULT 'running',
    "event_id" TEXT,
    "delivery_id" UUID,
    "total" INTEGER NOT NULL,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "idempotency_key" TEXT,
    "request_hash" BYTEA,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "ended_at" TIMESTAMPTZ,

    CONSTRAINT "replays_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "replays_merchant_id_mode_created_at_idx" ON "replays"("merchant_id", "mode", "created_at");
CREATE INDEX "replays_ended_at_idx" ON "replays"("ended_at");
CREATE UNIQUE INDEX "replays_merchant_id_mode_idempotency_key_key" ON "replays"("merchant_id", "mode", "idempotency_key");
ALTER TABLE "replays" ADD CONSTRAINT "replays_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "replays" ADD CONSTRAINT "replays_receiver_id_mode_fkey" FOREIGN KEY ("receiver_id", "mode") REFERENCES "receivers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "replays" ADD CONSTRAINT "replays_credential_id_mode_fkey" FOREIGN KEY ("credential_id", "mode") REFERENCES "credentials"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
-- One at a time to an endpoint, and to an address of a merchant (hashed: it may be longer than an index takes).
CREATE UNIQUE INDEX replays_one_an_endpoint ON replays (receiver_id) WHERE state = 'running' AND receiver_id IS NOT NULL;
CREATE UNIQUE INDEX replays_one_an_address ON replays (merchant_id, mode, md5(address)) WHERE state = 'running' AND address IS NOT NULL;
CREATE UNIQUE INDEX replays_under_way ON replays (delivery_id) WHERE state = 'running';
