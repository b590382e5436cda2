-- Shoppers of the sandbox convert money between their own wallets: a price that is held, then a transfer of its own kind.
ALTER TYPE "transfer_kind" ADD VALUE 'conversion';
CREATE TABLE "conversions" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "from_currency" VARCHAR(10) NOT NULL,
    "from_amount" BIGINT NOT NULL,
    "to_currency" VARCHAR(10) NOT NULL,
    "to_amount" BIGINT NOT NULL,
    "rate" DECIMAL(40,20) NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL,
    "used_at" TIMESTAMPTZ,
    "transfer_id" UUID,

    CONSTRAINT "conversions_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "conversions_transfer_id_key" ON "conversions"("transfer_id");
CREATE INDEX conversions_unused ON conversions (expires_at) WHERE used_at IS NULL;
ALTER TABLE "conversions" ADD CONSTRAINT "conversions_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "conversions" ADD CONSTRAINT "conversions_from_currency_fkey" FOREIGN KEY ("from_currency") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "conversions" ADD CONSTRAINT "conversions_to_currency_fkey" FOREIGN KEY ("to_currency") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "conversions" ADD CONSTRAINT "conversions_transfer_id_mode_fkey" FOREIGN KEY ("transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
