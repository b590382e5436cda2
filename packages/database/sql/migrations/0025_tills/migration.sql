-- The credential of orders that the console makes for its merchant: nobody holds its secret.
ALTER TYPE "credential_kind" ADD VALUE 'console';
-- Tills: places at a counter where an order is made by hand.
CREATE TABLE "tills" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "terminal_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "token" TEXT NOT NULL,
    "paused_at" TIMESTAMPTZ,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "tills_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "tills_token_key" ON "tills"("token");
CREATE UNIQUE INDEX "tills_merchant_id_mode_terminal_id_key" ON "tills"("merchant_id", "mode", "terminal_id");
ALTER TABLE "tills" ADD CONSTRAINT "tills_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "tills" ADD CONSTRAINT "tills_currency_fkey" FOREIGN KEY ("currency") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "tills" ADD CONSTRAINT "tills_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- Kinds by what they are not: a new value of a type cannot be named in the transaction that adds it.
CREATE UNIQUE INDEX credentials_one_for_the_console ON credentials (merchant_id, mode) WHERE kind <> 'client' AND kind <> 'api_token';
-- The order that is open at a terminal now: few rows at any time.
CREATE INDEX orders_open_at_terminal ON orders (merchant_id, mode, terminal_id, created_at DESC) WHERE status = 'PENDING' AND terminal_id IS NOT NULL;
