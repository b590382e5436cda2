CREATE TABLE "shopper_quotes" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "order_id" TEXT NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "payer_currency" VARCHAR(10) NOT NULL,
    "payer_amount" BIGINT NOT NULL,
    "rate" DECIMAL(40,20) NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL,
    "used_at" TIMESTAMPTZ,

    CONSTRAINT "shopper_quotes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "shopper_quotes_order_id_wallet_user_id_created_at_idx" ON "shopper_quotes"("order_id", "wallet_user_id", "created_at" DESC);
CREATE INDEX "shopper_quotes_expires_at_idx" ON "shopper_quotes"("expires_at");
CREATE UNIQUE INDEX "shopper_quotes_id_mode_key" ON "shopper_quotes"("id", "mode");
ALTER TABLE "shopper_quotes" ADD CONSTRAINT "shopper_quotes_order_id_mode_fkey" FOREIGN KEY ("order_id", "mode") REFERENCES "orders"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "shopper_quotes" ADD CONSTRAINT "shopper_quotes_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "shopper_quotes" ADD CONSTRAINT "shopper_quotes_account_id_mode_payer_currency_fkey" FOREIGN KEY ("account_id", "mode", "payer_currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "orders" ADD COLUMN "payer_amount" BIGINT, ADD COLUMN "payer_currency" VARCHAR(10), ADD COLUMN "quote_id" UUID;
ALTER TABLE "refunds" ADD COLUMN "payer_amount" BIGINT;

-- What was paid and refunded before was paid and refunded in the order's own currency.
UPDATE orders SET payer_amount = amount, payer_currency = currency WHERE status = 'PAID';

UPDATE refunds SET payer_amount = amount WHERE status = 'completed';
CREATE UNIQUE INDEX "orders_quote_id_mode_key" ON "orders"("quote_id", "mode");
ALTER TABLE "orders" ADD CONSTRAINT "orders_quote_id_mode_fkey" FOREIGN KEY ("quote_id", "mode") REFERENCES "shopper_quotes"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The payer's wallet is one of the currency that was paid, and of the order's mode.
ALTER TABLE "orders" DROP CONSTRAINT "orders_payer_account_id_mode_currency_fkey";
ALTER TABLE "orders" ADD CONSTRAINT "orders_payer_account_id_mode_payer_currency_fkey" FOREIGN KEY ("payer_account_id", "mode", "payer_currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;
