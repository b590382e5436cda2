-- Payment links: addresses where a shopper makes an order of a merchant.
CREATE TABLE "payment_links" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "token" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "amount" BIGINT,
    "min_amount" BIGINT,
    "max_amount" BIGINT,
    "max_uses" INTEGER,
    "expires_at" TIMESTAMPTZ,
    "closed_at" TIMESTAMPTZ,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "payment_links_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "payment_links_token_key" ON "payment_links"("token");
CREATE UNIQUE INDEX "payment_links_id_merchant_id_mode_key" ON "payment_links"("id", "merchant_id", "mode");
CREATE INDEX "payment_links_merchant_id_mode_created_at_id_idx" ON "payment_links"("merchant_id", "mode", "created_at" DESC, "id" DESC);
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_currency_fkey" FOREIGN KEY ("currency") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- The orders that were made through a link.
CREATE TABLE "payment_link_orders" (
    "order_id" TEXT NOT NULL,
    "link_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "visitor_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "payment_link_orders_pkey" PRIMARY KEY ("order_id")
);
CREATE UNIQUE INDEX "payment_link_orders_order_id_merchant_id_mode_key" ON "payment_link_orders"("order_id", "merchant_id", "mode");
CREATE INDEX "payment_link_orders_link_id_created_at_idx" ON "payment_link_orders"("link_id", "created_at" DESC);
CREATE INDEX "payment_link_orders_link_id_visitor_hash_created_at_idx" ON "payment_link_orders"("link_id", "visitor_hash", "created_at" DESC);
ALTER TABLE "payment_link_orders" ADD CONSTRAINT "payment_link_orders_order_id_merchant_id_mode_fkey" FOREIGN KEY ("order_id", "merchant_id", "mode") REFERENCES "orders"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment_link_orders" ADD CONSTRAINT "payment_link_orders_link_id_merchant_id_mode_fkey" FOREIGN KEY ("link_id", "merchant_id", "mode") REFERENCES "payment_links"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
