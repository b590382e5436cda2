-- A remembered wallet session shows who is there; what it may spend depends on when the PIN was last entered. Its token
-- changes from time to time, and the one before is good for a short while in parallel tabs.
ALTER TABLE "wallet_sessions" ADD COLUMN "pin_entered_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
ADD COLUMN "previous_token_hash" BYTEA,
ADD COLUMN "previous_valid_until" TIMESTAMPTZ,
ADD COLUMN "rotated_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp();

UPDATE wallet_sessions SET pin_entered_at = created_at, rotated_at = created_at;
CREATE UNIQUE INDEX "wallet_sessions_previous_token_hash_key" ON "wallet_sessions"("previous_token_hash");
