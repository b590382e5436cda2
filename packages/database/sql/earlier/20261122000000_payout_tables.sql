CREATE TYPE "payout_status" AS ENUM ('pending', 'completed', 'failed');
CREATE TYPE "usage_period" AS ENUM ('day', 'month');
ALTER TYPE "transfer_kind" ADD VALUE 'payout';
ALTER TYPE "transfer_kind" ADD VALUE 'hold';
ALTER TYPE "transfer_kind" ADD VALUE 'hold_return';
ALTER TABLE "credentials" ADD COLUMN     "expires_at" TIMESTAMPTZ;
ALTER TABLE "currencies" ADD COLUMN     "type" TEXT NOT NULL DEFAULT 'fiat';
ALTER TABLE "merchants" ADD COLUMN     "partner_api_enabled" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "partner_requests_a_minute" INTEGER,
ADD COLUMN     "pay_requests_a_minute" INTEGER,
ADD COLUMN     "refunds_need_approval" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "refunds" ADD COLUMN     "hold_transfer_id" UUID;

CREATE TABLE "payout_terms" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "authorized" BOOLEAN NOT NULL DEFAULT false,
    "per_transaction" BIGINT,
    "daily" BIGINT,
    "monthly" BIGINT,
    "review_above" BIGINT,

    CONSTRAINT "payout_terms_pkey" PRIMARY KEY ("merchant_id","mode","currency")
);

CREATE TABLE "payout_usage" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "period" "usage_period" NOT NULL,
    "starts_on" DATE NOT NULL,
    "amount" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "payout_usage_pkey" PRIMARY KEY ("merchant_id","mode","currency","period","starts_on")
);

CREATE TABLE "fee_schedules" (
    "id" UUID NOT NULL,
    "merchant_id" UUID,
    "mode" "mode" NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "fixed" BIGINT NOT NULL,
    "percent" DECIMAL(9,6) NOT NULL,

    CONSTRAINT "fee_schedules_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "exchange_rates" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "base" VARCHAR(10) NOT NULL,
    "quote" VARCHAR(10) NOT NULL,
    "rate" DECIMAL(40,20) NOT NULL,
    "spread_percent" DECIMAL(9,6) NOT NULL DEFAULT 0,
    "effective_from" TIMESTAMPTZ NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "exchange_rates_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "lookup_tokens" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL DEFAULT (clock_timestamp() + '00:10:00'::interval),

    CONSTRAINT "lookup_tokens_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "quotes" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "sender_currency" VARCHAR(10) NOT NULL,
    "fee" BIGINT NOT NULL,
    "rate" DECIMAL(40,20) NOT NULL,
    "receiver_amount" BIGINT NOT NULL,
    "receiver_currency" VARCHAR(10) NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL DEFAULT (clock_timestamp() + '00:05:00'::interval),
    "used_at" TIMESTAMPTZ,

    CONSTRAINT "quotes_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "payouts" (
    "id" TEXT NOT NULL,
    "mode" "mode" NOT NULL,
    "merchant_id" UUID NOT NULL,
    "reference" TEXT NOT NULL,
    "quote_id" UUID,
    "wallet_user_id" UUID NOT NULL,
    "recipient_account_id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "sender_currency" VARCHAR(10) NOT NULL,
    "fee" BIGINT NOT NULL,
    "rate" DECIMAL(40,20) NOT NULL,
    "receiver_amount" BIGINT NOT NULL,
    "receiver_currency" VARCHAR(10) NOT NULL,
    "status" "payout_status" NOT NULL,
    "description" TEXT,
    "trx_id" TEXT,
    "transfer_id" UUID,
    "hold_transfer_id" UUID,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "processed_at" TIMESTAMPTZ,

    CONSTRAINT "payouts_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "exchange_rates_mode_base_quote_effective_from_created_at_idx" ON "exchange_rates"("mode", "base", "quote", "effective_from" DESC, "created_at" DESC);
CREATE INDEX "lookup_tokens_expires_at_idx" ON "lookup_tokens"("expires_at");
CREATE INDEX "quotes_expires_at_idx" ON "quotes"("expires_at");
CREATE UNIQUE INDEX "quotes_id_mode_key" ON "quotes"("id", "mode");
CREATE UNIQUE INDEX "payouts_trx_id_key" ON "payouts"("trx_id");
CREATE INDEX "payouts_merchant_id_mode_created_at_id_idx" ON "payouts"("merchant_id", "mode", "created_at" DESC, "id" DESC);
CREATE UNIQUE INDEX "payouts_quote_id_mode_key" ON "payouts"("quote_id", "mode");
CREATE UNIQUE INDEX "payouts_merchant_id_mode_reference_key" ON "payouts"("merchant_id", "mode", "reference");
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_hold_transfer_id_mode_fkey" FOREIGN KEY ("hold_transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payout_terms" ADD CONSTRAINT "payout_terms_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payout_terms" ADD CONSTRAINT "payout_terms_currency_fkey" FOREIGN KEY ("currency") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payout_usage" ADD CONSTRAINT "payout_usage_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "fee_schedules" ADD CONSTRAINT "fee_schedules_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "fee_schedules" ADD CONSTRAINT "fee_schedules_currency_fkey" FOREIGN KEY ("currency") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "exchange_rates" ADD CONSTRAINT "exchange_rates_base_fkey" FOREIGN KEY ("base") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "exchange_rates" ADD CONSTRAINT "exchange_rates_quote_fkey" FOREIGN KEY ("quote") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "lookup_tokens" ADD CONSTRAINT "lookup_tokens_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "lookup_tokens" ADD CONSTRAINT "lookup_tokens_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_recipient_account_id_mode_receiver_currency_fkey" FOREIGN KEY ("recipient_account_id", "mode", "receiver_currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_quote_id_mode_fkey" FOREIGN KEY ("quote_id", "mode") REFERENCES "quotes"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_transfer_id_mode_fkey" FOREIGN KEY ("transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_hold_transfer_id_mode_fkey" FOREIGN KEY ("hold_transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
