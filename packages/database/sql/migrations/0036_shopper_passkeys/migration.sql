-- Passkeys of shoppers, and the challenge that a wallet session last got for a new one.
CREATE TABLE "wallet_passkeys" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "last_used_at" TIMESTAMPTZ,
    "revoked_at" TIMESTAMPTZ,

    CONSTRAINT "wallet_passkeys_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "wallet_sessions" ADD COLUMN "passkey_challenge" TEXT, ADD COLUMN "passkey_challenge_until" TIMESTAMPTZ;
CREATE UNIQUE INDEX "wallet_passkeys_credential_id_key" ON "wallet_passkeys"("credential_id");
CREATE UNIQUE INDEX "wallet_passkeys_id_mode_key" ON "wallet_passkeys"("id", "mode");
CREATE INDEX "wallet_passkeys_wallet_user_id_mode_idx" ON "wallet_passkeys"("wallet_user_id", "mode");
ALTER TABLE "wallet_passkeys" ADD CONSTRAINT "wallet_passkeys_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
-- What a passkey is to sign to confirm one payment.
CREATE TABLE "payment_challenges" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "order_id" TEXT NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "quote_id" UUID,
    "text" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "used_at" TIMESTAMPTZ,

    CONSTRAINT "payment_challenges_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "payment_challenges_challenge_key" ON "payment_challenges"("challenge");
CREATE INDEX "payment_challenges_expires_at_idx" ON "payment_challenges"("expires_at");
ALTER TABLE "payment_challenges" ADD CONSTRAINT "payment_challenges_order_id_mode_fkey" FOREIGN KEY ("order_id", "mode") REFERENCES "orders"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment_challenges" ADD CONSTRAINT "payment_challenges_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
-- Payments that a passkey confirmed, with the evidence.
CREATE TABLE "payment_confirmations" (
    "order_id" TEXT NOT NULL,
    "mode" "mode" NOT NULL,
    "passkey_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "origin" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "client_data" BYTEA NOT NULL,
    "authenticator_data" BYTEA NOT NULL,
    "signature" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "payment_confirmations_pkey" PRIMARY KEY ("order_id")
);
CREATE INDEX "payment_confirmations_passkey_id_mode_idx" ON "payment_confirmations"("passkey_id", "mode");
ALTER TABLE "payment_confirmations" ADD CONSTRAINT "payment_confirmations_order_id_mode_fkey" FOREIGN KEY ("order_id", "mode") REFERENCES "orders"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment_confirmations" ADD CONSTRAINT "payment_confirmations_passkey_id_mode_fkey" FOREIGN KEY ("passkey_id", "mode") REFERENCES "wallet_passkeys"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
