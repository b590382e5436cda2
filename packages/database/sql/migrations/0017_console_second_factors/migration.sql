-- Second factors of console users: an authenticator app, and recovery codes.
CREATE TABLE "console_totps" (
    "user_id" UUID NOT NULL,
    "secret_ciphertext" BYTEA NOT NULL,
    "encryption_key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "confirmed_at" TIMESTAMPTZ,
    "last_step" INTEGER,

    CONSTRAINT "console_totps_pkey" PRIMARY KEY ("user_id")
);
CREATE TABLE "console_recovery_codes" (
    "user_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "used_at" TIMESTAMPTZ,

    CONSTRAINT "console_recovery_codes_pkey" PRIMARY KEY ("user_id","code_hash")
);
ALTER TABLE "console_totps" ADD CONSTRAINT "console_totps_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "console_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "console_recovery_codes" ADD CONSTRAINT "console_recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "console_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
