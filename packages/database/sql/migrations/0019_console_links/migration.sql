-- Links that are mailed to console users, each good once: for now those that set a new password.
CREATE TABLE "console_links" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "token_ciphertext" BYTEA,
    "encryption_key_id" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL,
    "used_at" TIMESTAMPTZ,
    "next_attempt_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "console_links_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "console_links_token_hash_key" ON "console_links"("token_hash");
CREATE INDEX "console_links_user_id_idx" ON "console_links"("user_id");
CREATE INDEX "console_links_expires_at_idx" ON "console_links"("expires_at");
ALTER TABLE "console_links" ADD CONSTRAINT "console_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "console_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
