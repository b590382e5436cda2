-- Passkeys of console users, and the challenge that a session last got for one.
CREATE TABLE "console_passkeys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "last_used_at" TIMESTAMPTZ,

    CONSTRAINT "console_passkeys_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "console_sessions" ADD COLUMN "passkey_challenge" TEXT, ADD COLUMN "passkey_challenge_until" TIMESTAMPTZ;
CREATE UNIQUE INDEX "console_passkeys_credential_id_key" ON "console_passkeys"("credential_id");
CREATE INDEX "console_passkeys_user_id_idx" ON "console_passkeys"("user_id");
ALTER TABLE "console_passkeys" ADD CONSTRAINT "console_passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "console_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
