-- Sign-ins to the console: the api knows a console user by a session's token, not by what the console says.
CREATE TABLE "console_sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "last_seen_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL,
    "revoked_at" TIMESTAMPTZ,
    "signed_in_at" TIMESTAMPTZ,
    "second_factor_at" TIMESTAMPTZ,
    "client_network" TEXT NOT NULL,
    "browser" TEXT NOT NULL,

    CONSTRAINT "console_sessions_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "console_sessions_token_hash_key" ON "console_sessions"("token_hash");
CREATE INDEX "console_sessions_user_id_idx" ON "console_sessions"("user_id");
CREATE INDEX "console_sessions_expires_at_idx" ON "console_sessions"("expires_at");
ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "console_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
