-- Devices on which an account signed in before: their wrong PINs are counted apart from those of strangers.
CREATE TABLE "wallet_devices" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "wallet_devices_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "wallet_devices_wallet_user_id_mode_idx" ON "wallet_devices"("wallet_user_id", "mode");
CREATE INDEX "wallet_devices_expires_at_idx" ON "wallet_devices"("expires_at");
CREATE UNIQUE INDEX "wallet_devices_token_hash_wallet_user_id_key" ON "wallet_devices"("token_hash", "wallet_user_id");

-- A PIN counts for the order it was entered for; who stays signed in on a device chose it. All sessions so far were remembered.
ALTER TABLE "wallet_sessions" ADD COLUMN "device_id" UUID,
ADD COLUMN "pin_order_id" TEXT,
ADD COLUMN "remembered" BOOLEAN NOT NULL DEFAULT false;
UPDATE wallet_sessions SET remembered = true;
CREATE INDEX "wallet_sessions_device_id_idx" ON "wallet_sessions"("device_id");

ALTER TABLE "wallet_sessions" ADD CONSTRAINT "wallet_sessions_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "wallet_devices"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "wallet_sessions" ADD CONSTRAINT "wallet_sessions_pin_order_id_mode_fkey" FOREIGN KEY ("pin_order_id", "mode") REFERENCES "orders"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "wallet_devices" ADD CONSTRAINT "wallet_devices_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Strangers' wrong PINs are counted by what they type, and an address is slowed, not locked: what was counted otherwise says
-- nothing any more.
DELETE FROM pin_failures;
