-- Shops that a console user connected by a link: the code that the shop exchanges, and the credentials that it got.
CREATE TABLE "shop_connections" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "created_by_id" UUID NOT NULL,
    "platform" TEXT NOT NULL,
    "shop_name" TEXT NOT NULL,
    "shop_origin" TEXT NOT NULL,
    "return_url" TEXT NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL,
    "exchanged_at" TIMESTAMPTZ,
    "credential_ids" UUID[],

    CONSTRAINT "shop_connections_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "shop_connections_code_hash_key" ON "shop_connections"("code_hash");
CREATE INDEX "shop_connections_merchant_id_created_at_idx" ON "shop_connections"("merchant_id", "created_at" DESC);
ALTER TABLE "shop_connections" ADD CONSTRAINT "shop_connections_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "shop_connections" ADD CONSTRAINT "shop_connections_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
