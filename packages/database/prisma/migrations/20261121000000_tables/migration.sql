-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "mode" AS ENUM ('sandbox', 'live');

-- CreateEnum
CREATE TYPE "account_kind" AS ENUM ('merchant', 'shopper', 'hold', 'fees', 'fx', 'issuing', 'funding');

-- CreateEnum
CREATE TYPE "transfer_kind" AS ENUM ('payment', 'refund', 'top_up', 'deposit', 'withdrawal');

-- CreateEnum
CREATE TYPE "order_status" AS ENUM ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "order_state" AS ENUM ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUND_PENDING', 'REFUNDED');

-- CreateEnum
CREATE TYPE "payment_method" AS ENUM ('qr_only', 'payment_page', 'both');

-- CreateEnum
CREATE TYPE "refund_status" AS ENUM ('pending', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "credential_kind" AS ENUM ('client', 'api_token');

-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'queued', 'delivered', 'failed');

-- CreateEnum
CREATE TYPE "console_role" AS ENUM ('administrator', 'merchant');

-- CreateEnum
CREATE TYPE "counted_kind" AS ENUM ('order', 'refund');

-- CreateTable
CREATE TABLE "merchants" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "suspended_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credentials" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" "credential_kind" NOT NULL,
    "client_id" TEXT,
    "secret_hash" BYTEA NOT NULL,
    "secret_ciphertext" BYTEA,
    "encryption_key_id" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ,
    "last_used_at" TIMESTAMPTZ,

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "currencies" (
    "code" VARCHAR(10) NOT NULL,
    "digits" SMALLINT NOT NULL,
    "name" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "currencies_pkey" PRIMARY KEY ("code")
);

-- CreateTable
CREATE TABLE "wallet_users" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "name" TEXT NOT NULL,
    "phone" TEXT,
    "email" TEXT,
    "pin_hash" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "test_of_merchant_id" UUID,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wallet_users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wallet_sessions" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "revoked_at" TIMESTAMPTZ,

    CONSTRAINT "wallet_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "kind" "account_kind" NOT NULL,
    "merchant_id" UUID,
    "wallet_user_id" UUID,
    "balance" BIGINT,
    "closed_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transfers" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" "transfer_kind" NOT NULL,
    "corrects" UUID,
    "external_reference" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "transfers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "entries" (
    "id" BIGSERIAL NOT NULL,
    "transfer_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "orders" (
    "id" TEXT NOT NULL,
    "mode" "mode" NOT NULL,
    "merchant_id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "payment_method" "payment_method" NOT NULL,
    "status" "order_status" NOT NULL DEFAULT 'PENDING',
    "state" "order_state" NOT NULL DEFAULT 'PENDING',
    "reference" TEXT,
    "description" TEXT,
    "terminal_id" TEXT,
    "order_number" TEXT,
    "custom" TEXT,
    "callback_url" TEXT,
    "return_url" TEXT,
    "cancel_url" TEXT,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "paid_at" TIMESTAMPTZ,
    "trx_id" TEXT,
    "transfer_id" UUID,
    "payer_account_id" UUID,
    "refunded" BIGINT NOT NULL DEFAULT 0,
    "refund_pending" BIGINT NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refunds" (
    "id" TEXT NOT NULL,
    "mode" "mode" NOT NULL,
    "merchant_id" UUID NOT NULL,
    "order_id" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "status" "refund_status" NOT NULL,
    "reason" TEXT,
    "reference" TEXT,
    "transfer_id" UUID,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "settled_at" TIMESTAMPTZ,

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "day_counts" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" "counted_kind" NOT NULL,
    "day" DATE NOT NULL,
    "status" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "day_counts_pkey" PRIMARY KEY ("merchant_id","mode","kind","day","status","slot")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "resource_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("merchant_id","mode","operation","key")
);

-- CreateTable
CREATE TABLE "events" (
    "id" TEXT NOT NULL,
    "mode" "mode" NOT NULL,
    "merchant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "order_id" TEXT,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "receivers" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "merchant_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "events" TEXT[],
    "secret_ciphertext" BYTEA NOT NULL,
    "encryption_key_id" TEXT NOT NULL,
    "disabled_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "receivers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "mode" "mode" NOT NULL,
    "event_id" TEXT NOT NULL,
    "receiver_id" UUID,
    "credential_id" UUID,
    "address" TEXT NOT NULL,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "settled_at" TIMESTAMPTZ,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempts" (
    "id" BIGSERIAL NOT NULL,
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ NOT NULL,
    "latency_ms" INTEGER NOT NULL,
    "http_status" INTEGER,
    "error_kind" TEXT,
    "answer_start" TEXT,
    "request_headers" JSONB NOT NULL,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "console_users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "console_role" NOT NULL,
    "merchant_id" UUID,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "console_users_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "credentials_client_id_key" ON "credentials"("client_id");

-- CreateIndex
CREATE UNIQUE INDEX "credentials_secret_hash_key" ON "credentials"("secret_hash");

-- CreateIndex
CREATE INDEX "credentials_merchant_id_mode_idx" ON "credentials"("merchant_id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "credentials_id_mode_key" ON "credentials"("id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "credentials_id_merchant_id_mode_key" ON "credentials"("id", "merchant_id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "wallet_users_test_of_merchant_id_key" ON "wallet_users"("test_of_merchant_id");

-- CreateIndex
CREATE UNIQUE INDEX "wallet_users_mode_phone_key" ON "wallet_users"("mode", "phone");

-- CreateIndex
CREATE UNIQUE INDEX "wallet_users_mode_email_key" ON "wallet_users"("mode", "email");

-- CreateIndex
CREATE UNIQUE INDEX "wallet_users_id_mode_key" ON "wallet_users"("id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "wallet_sessions_token_hash_key" ON "wallet_sessions"("token_hash");

-- CreateIndex
CREATE INDEX "wallet_sessions_wallet_user_id_mode_idx" ON "wallet_sessions"("wallet_user_id", "mode");

-- CreateIndex
CREATE INDEX "wallet_sessions_expires_at_idx" ON "wallet_sessions"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_id_mode_currency_key" ON "accounts"("id", "mode", "currency");

-- CreateIndex
CREATE UNIQUE INDEX "transfers_external_reference_key" ON "transfers"("external_reference");

-- CreateIndex
CREATE UNIQUE INDEX "transfers_id_mode_key" ON "transfers"("id", "mode");

-- CreateIndex
CREATE INDEX "entries_transfer_id_idx" ON "entries"("transfer_id");

-- CreateIndex
CREATE INDEX "entries_account_id_id_idx" ON "entries"("account_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "orders_token_key" ON "orders"("token");

-- CreateIndex
CREATE UNIQUE INDEX "orders_trx_id_key" ON "orders"("trx_id");

-- CreateIndex
CREATE INDEX "orders_merchant_id_mode_created_at_id_idx" ON "orders"("merchant_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_merchant_id_mode_state_created_at_id_idx" ON "orders"("merchant_id", "mode", "state", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_merchant_id_mode_reference_idx" ON "orders"("merchant_id", "mode", "reference");

-- CreateIndex
CREATE UNIQUE INDEX "orders_id_mode_key" ON "orders"("id", "mode");

-- CreateIndex
CREATE INDEX "refunds_merchant_id_mode_created_at_id_idx" ON "refunds"("merchant_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "refunds_merchant_id_mode_status_created_at_id_idx" ON "refunds"("merchant_id", "mode", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "refunds_order_id_idx" ON "refunds"("order_id");

-- CreateIndex
CREATE INDEX "events_order_id_idx" ON "events"("order_id");

-- CreateIndex
CREATE INDEX "events_merchant_id_mode_created_at_idx" ON "events"("merchant_id", "mode", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "events_id_mode_key" ON "events"("id", "mode");

-- CreateIndex
CREATE INDEX "receivers_merchant_id_mode_idx" ON "receivers"("merchant_id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "receivers_id_mode_key" ON "receivers"("id", "mode");

-- CreateIndex
CREATE INDEX "deliveries_event_id_idx" ON "deliveries"("event_id");

-- CreateIndex
CREATE UNIQUE INDEX "attempts_delivery_id_number_key" ON "attempts"("delivery_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "console_users_email_key" ON "console_users"("email");

-- AddForeignKey
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallet_users" ADD CONSTRAINT "wallet_users_test_of_merchant_id_fkey" FOREIGN KEY ("test_of_merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallet_sessions" ADD CONSTRAINT "wallet_sessions_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_currency_fkey" FOREIGN KEY ("currency") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_corrects_mode_fkey" FOREIGN KEY ("corrects", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "entries" ADD CONSTRAINT "entries_transfer_id_mode_fkey" FOREIGN KEY ("transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "entries" ADD CONSTRAINT "entries_account_id_mode_currency_fkey" FOREIGN KEY ("account_id", "mode", "currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_credential_id_merchant_id_mode_fkey" FOREIGN KEY ("credential_id", "merchant_id", "mode") REFERENCES "credentials"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_transfer_id_mode_fkey" FOREIGN KEY ("transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_payer_account_id_mode_currency_fkey" FOREIGN KEY ("payer_account_id", "mode", "currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_mode_fkey" FOREIGN KEY ("order_id", "mode") REFERENCES "orders"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_transfer_id_mode_fkey" FOREIGN KEY ("transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "day_counts" ADD CONSTRAINT "day_counts_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_order_id_mode_fkey" FOREIGN KEY ("order_id", "mode") REFERENCES "orders"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receivers" ADD CONSTRAINT "receivers_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event_id_mode_fkey" FOREIGN KEY ("event_id", "mode") REFERENCES "events"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_receiver_id_mode_fkey" FOREIGN KEY ("receiver_id", "mode") REFERENCES "receivers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_credential_id_mode_fkey" FOREIGN KEY ("credential_id", "mode") REFERENCES "credentials"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "console_users" ADD CONSTRAINT "console_users_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

