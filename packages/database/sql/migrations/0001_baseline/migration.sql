-- The tables, types and indexes of the api's database. schema.prisma says the same of what Prisma can say. Functions, triggers
-- and checks stand in sql/functions and sql/checks.

CREATE TYPE "mode" AS ENUM ('sandbox', 'live');
CREATE TYPE "account_kind" AS ENUM ('merchant', 'shopper', 'hold', 'fees', 'fx', 'issuing', 'funding');
CREATE TYPE "transfer_kind" AS ENUM ('payment', 'refund', 'top_up', 'payout', 'hold', 'hold_return', 'deposit', 'withdrawal');
CREATE TYPE "order_status" AS ENUM ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED');
CREATE TYPE "order_state" AS ENUM ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUND_PENDING', 'REFUNDED');
CREATE TYPE "payment_method" AS ENUM ('qr_only', 'payment_page', 'both');
CREATE TYPE "refund_status" AS ENUM ('pending', 'completed', 'failed');
CREATE TYPE "credential_kind" AS ENUM ('client', 'api_token');
CREATE TYPE "delivery_status" AS ENUM ('pending', 'queued', 'held', 'delivered', 'failed');
CREATE TYPE "payout_status" AS ENUM ('pending', 'completed', 'failed');
CREATE TYPE "usage_period" AS ENUM ('day', 'month');
CREATE TYPE "console_role" AS ENUM ('administrator', 'merchant');
CREATE TYPE "counted_kind" AS ENUM ('order', 'refund');
CREATE TYPE "approval_kind" AS ENUM ('deposit', 'withdrawal', 'single_limit');
CREATE TYPE "approval_status" AS ENUM ('pending', 'approved', 'rejected');

CREATE TABLE "merchants" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "suspended_at" TIMESTAMPTZ,
    "partner_api_enabled" BOOLEAN NOT NULL DEFAULT false,
    "refunds_need_approval" BOOLEAN NOT NULL DEFAULT false,
    "pay_requests_a_minute" INTEGER,
    "partner_requests_a_minute" INTEGER,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchants_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "merchant_branding" (
    "merchant_id" UUID NOT NULL,
    "name" TEXT,
    "accent" TEXT,
    "logo_id" TEXT,
    "logo_type" TEXT,
    "logo_width" INTEGER,
    "logo_height" INTEGER,
    "logo" BYTEA,

    CONSTRAINT "merchant_branding_pkey" PRIMARY KEY ("merchant_id")
);

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
    "expires_at" TIMESTAMPTZ,
    "last_used_at" TIMESTAMPTZ,
    "replaces_id" UUID,

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "currencies" (
    "code" VARCHAR(10) NOT NULL,
    "digits" SMALLINT NOT NULL,
    "name" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'fiat',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "single_administrator_limit" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "currencies_pkey" PRIMARY KEY ("code")
);

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

CREATE TABLE "wallet_sessions" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "revoked_at" TIMESTAMPTZ,
    "previous_token_hash" BYTEA,
    "previous_valid_until" TIMESTAMPTZ,
    "rotated_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "pin_entered_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "wallet_sessions_pkey" PRIMARY KEY ("id")
);

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

CREATE TABLE "transfers" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" "transfer_kind" NOT NULL,
    "corrects" UUID,
    "external_reference" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "transfers_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "entries" (
    "id" BIGSERIAL NOT NULL,
    "transfer_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "entries_pkey" PRIMARY KEY ("id")
);

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
    "payer_currency" VARCHAR(10),
    "payer_amount" BIGINT,
    "quote_id" UUID,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);

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
    "hold_transfer_id" UUID,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "settled_at" TIMESTAMPTZ,
    "payer_amount" BIGINT,

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id")
);

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

CREATE TABLE "span_counts" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" "counted_kind" NOT NULL,
    "starts_at" TIMESTAMPTZ NOT NULL,
    "status" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "span_counts_pkey" PRIMARY KEY ("merchant_id","mode","kind","starts_at","status","slot")
);

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

CREATE TABLE "events" (
    "id" TEXT NOT NULL,
    "mode" "mode" NOT NULL,
    "merchant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "order_id" TEXT,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "turn" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "number" BIGSERIAL NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "event_retention" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "pruned_before" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "event_retention_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "receivers" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "merchant_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "events" TEXT[],
    "secret_ciphertext" BYTEA NOT NULL,
    "encryption_key_id" TEXT NOT NULL,
    "previous_secret_ciphertext" BYTEA,
    "previous_encryption_key_id" TEXT,
    "previous_secret_expires_at" TIMESTAMPTZ,
    "paused_at" TIMESTAMPTZ,
    "disabled_at" TIMESTAMPTZ,
    "disabled_reason" TEXT,
    "removed_at" TIMESTAMPTZ,
    "deliveries_lag" BOOLEAN NOT NULL DEFAULT false,
    "last_success_at" TIMESTAMPTZ,
    "last_failure_at" TIMESTAMPTZ,
    "last_failure_kind" TEXT,
    "last_failure_status" INTEGER,
    "failures_in_row" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ,
    "warned_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "receivers_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "deliveries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "mode" "mode" NOT NULL,
    "event_id" TEXT NOT NULL,
    "receiver_id" UUID,
    "credential_id" UUID,
    "address" TEXT NOT NULL,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "attempts_before" INTEGER NOT NULL DEFAULT 0,
    "given_up_because" TEXT,
    "next_attempt_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "settled_at" TIMESTAMPTZ,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

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

CREATE TABLE "delivery_hosts" (
    "host" TEXT NOT NULL,
    "prompt" BOOLEAN NOT NULL,
    "changed_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "delivery_hosts_pkey" PRIMARY KEY ("host")
);

CREATE TABLE "timeline_entries" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" TEXT NOT NULL,
    "receiver_id" UUID,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "timeline_entries_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "console_users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "console_role" NOT NULL,
    "merchant_id" UUID,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "console_users_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "pin_failures" (
    "key" BYTEA NOT NULL,
    "failures" INTEGER NOT NULL,
    "counted_at" TIMESTAMPTZ NOT NULL,
    "locked_until" TIMESTAMPTZ NOT NULL,
    "stale_at" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "pin_failures_pkey" PRIMARY KEY ("key")
);

-- Counters of limited attempts. Unlogged: a crash may forget them, and no commit waits for them.
CREATE UNLOGGED TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

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

CREATE TABLE "audit_records" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID,
    "number" INTEGER NOT NULL,
    "administrator_id" UUID NOT NULL,
    "administrator" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "previous_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_records_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "approval_requests" (
    "id" UUID NOT NULL,
    "kind" "approval_kind" NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID,
    "currency" VARCHAR(10) NOT NULL,
    "amount" BIGINT NOT NULL,
    "external_reference" TEXT,
    "status" "approval_status" NOT NULL DEFAULT 'pending',
    "requested_by_id" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "decided_by_id" UUID,
    "decided_at" TIMESTAMPTZ,
    "transfer_id" UUID,

    CONSTRAINT "approval_requests_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "merchant_branding_logo_id_idx" ON "merchant_branding"("logo_id");
CREATE UNIQUE INDEX "credentials_secret_hash_key" ON "credentials"("secret_hash");
CREATE INDEX "credentials_merchant_id_mode_idx" ON "credentials"("merchant_id", "mode");
CREATE INDEX "credentials_client_id_idx" ON "credentials"("client_id");
CREATE UNIQUE INDEX "credentials_id_mode_key" ON "credentials"("id", "mode");
CREATE UNIQUE INDEX "credentials_id_merchant_id_mode_key" ON "credentials"("id", "merchant_id", "mode");
CREATE UNIQUE INDEX "credentials_replaces_id_merchant_id_mode_key" ON "credentials"("replaces_id", "merchant_id", "mode");
CREATE UNIQUE INDEX "wallet_users_test_of_merchant_id_key" ON "wallet_users"("test_of_merchant_id");
CREATE UNIQUE INDEX "wallet_users_mode_phone_key" ON "wallet_users"("mode", "phone");
CREATE UNIQUE INDEX "wallet_users_mode_email_key" ON "wallet_users"("mode", "email");
CREATE UNIQUE INDEX "wallet_users_id_mode_key" ON "wallet_users"("id", "mode");
CREATE UNIQUE INDEX "wallet_sessions_token_hash_key" ON "wallet_sessions"("token_hash");
CREATE UNIQUE INDEX "wallet_sessions_previous_token_hash_key" ON "wallet_sessions"("previous_token_hash");
CREATE INDEX "wallet_sessions_wallet_user_id_mode_idx" ON "wallet_sessions"("wallet_user_id", "mode");
CREATE INDEX "wallet_sessions_expires_at_idx" ON "wallet_sessions"("expires_at");
CREATE UNIQUE INDEX "accounts_id_mode_currency_key" ON "accounts"("id", "mode", "currency");
CREATE UNIQUE INDEX "transfers_id_mode_key" ON "transfers"("id", "mode");
CREATE UNIQUE INDEX "transfers_mode_external_reference_key" ON "transfers"("mode", "external_reference");
CREATE INDEX "entries_transfer_id_idx" ON "entries"("transfer_id");
CREATE INDEX "entries_account_id_id_idx" ON "entries"("account_id", "id");
CREATE UNIQUE INDEX "orders_token_key" ON "orders"("token");
CREATE UNIQUE INDEX "orders_trx_id_key" ON "orders"("trx_id");
CREATE INDEX "orders_merchant_id_mode_created_at_id_idx" ON "orders"("merchant_id", "mode", "created_at" DESC, "id" DESC);
CREATE INDEX "orders_merchant_id_mode_state_created_at_id_idx" ON "orders"("merchant_id", "mode", "state", "created_at" DESC, "id" DESC);
CREATE INDEX "orders_merchant_id_mode_reference_created_at_id_state_idx" ON "orders"("merchant_id", "mode", "reference", "created_at" DESC, "id" DESC, "state");
CREATE UNIQUE INDEX "orders_id_mode_key" ON "orders"("id", "mode");
CREATE UNIQUE INDEX "orders_quote_id_mode_key" ON "orders"("quote_id", "mode");
CREATE INDEX "shopper_quotes_order_id_wallet_user_id_created_at_idx" ON "shopper_quotes"("order_id", "wallet_user_id", "created_at" DESC);
CREATE UNIQUE INDEX "shopper_quotes_id_mode_key" ON "shopper_quotes"("id", "mode");
CREATE INDEX "refunds_merchant_id_mode_created_at_id_idx" ON "refunds"("merchant_id", "mode", "created_at" DESC, "id" DESC);
CREATE INDEX "refunds_merchant_id_mode_status_created_at_id_idx" ON "refunds"("merchant_id", "mode", "status", "created_at" DESC, "id" DESC);
CREATE INDEX "refunds_order_id_created_at_id_status_idx" ON "refunds"("order_id", "created_at" DESC, "id" DESC, "status");
CREATE INDEX "events_order_id_idx" ON "events"("order_id");
CREATE INDEX "events_created_at_idx" ON "events"("created_at");
CREATE INDEX "events_merchant_id_mode_created_at_idx" ON "events"("merchant_id", "mode", "created_at" DESC);
CREATE INDEX "events_merchant_id_mode_turn_number_idx" ON "events"("merchant_id", "mode", "turn", "number");
CREATE UNIQUE INDEX "events_id_mode_key" ON "events"("id", "mode");
CREATE INDEX "receivers_merchant_id_mode_idx" ON "receivers"("merchant_id", "mode");
CREATE UNIQUE INDEX "receivers_id_mode_key" ON "receivers"("id", "mode");
CREATE INDEX "deliveries_event_id_idx" ON "deliveries"("event_id");
CREATE INDEX "attempts_started_at_idx" ON "attempts"("started_at");
CREATE UNIQUE INDEX "attempts_delivery_id_number_key" ON "attempts"("delivery_id", "number");
CREATE INDEX "delivery_hosts_changed_at_idx" ON "delivery_hosts"("changed_at");
CREATE INDEX "timeline_entries_merchant_id_mode_id_idx" ON "timeline_entries"("merchant_id", "mode", "id" DESC);
CREATE INDEX "timeline_entries_created_at_idx" ON "timeline_entries"("created_at");
CREATE UNIQUE INDEX "console_users_email_key" ON "console_users"("email");
CREATE INDEX "pin_failures_stale_at_idx" ON "pin_failures"("stale_at");
CREATE INDEX "exchange_rates_mode_base_quote_effective_from_created_at_idx" ON "exchange_rates"("mode", "base", "quote", "effective_from" DESC, "created_at" DESC);
CREATE INDEX "lookup_tokens_expires_at_idx" ON "lookup_tokens"("expires_at");
CREATE UNIQUE INDEX "quotes_id_mode_key" ON "quotes"("id", "mode");
CREATE UNIQUE INDEX "payouts_trx_id_key" ON "payouts"("trx_id");
CREATE INDEX "payouts_merchant_id_mode_created_at_id_idx" ON "payouts"("merchant_id", "mode", "created_at" DESC, "id" DESC);
CREATE UNIQUE INDEX "payouts_quote_id_mode_key" ON "payouts"("quote_id", "mode");
CREATE UNIQUE INDEX "payouts_merchant_id_mode_reference_key" ON "payouts"("merchant_id", "mode", "reference");

ALTER TABLE "merchant_branding" ADD CONSTRAINT "merchant_branding_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_replaces_id_merchant_id_mode_fkey" FOREIGN KEY ("replaces_id", "merchant_id", "mode") REFERENCES "credentials"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "wallet_users" ADD CONSTRAINT "wallet_users_test_of_merchant_id_fkey" FOREIGN KEY ("test_of_merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "wallet_sessions" ADD CONSTRAINT "wallet_sessions_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_currency_fkey" FOREIGN KEY ("currency") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_corrects_mode_fkey" FOREIGN KEY ("corrects", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "entries" ADD CONSTRAINT "entries_transfer_id_mode_fkey" FOREIGN KEY ("transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "entries" ADD CONSTRAINT "entries_account_id_mode_currency_fkey" FOREIGN KEY ("account_id", "mode", "currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "orders" ADD CONSTRAINT "orders_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "orders" ADD CONSTRAINT "orders_credential_id_merchant_id_mode_fkey" FOREIGN KEY ("credential_id", "merchant_id", "mode") REFERENCES "credentials"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "orders" ADD CONSTRAINT "orders_transfer_id_mode_fkey" FOREIGN KEY ("transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "orders" ADD CONSTRAINT "orders_payer_account_id_mode_payer_currency_fkey" FOREIGN KEY ("payer_account_id", "mode", "payer_currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "orders" ADD CONSTRAINT "orders_quote_id_mode_fkey" FOREIGN KEY ("quote_id", "mode") REFERENCES "shopper_quotes"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "shopper_quotes" ADD CONSTRAINT "shopper_quotes_order_id_mode_fkey" FOREIGN KEY ("order_id", "mode") REFERENCES "orders"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "shopper_quotes" ADD CONSTRAINT "shopper_quotes_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "shopper_quotes" ADD CONSTRAINT "shopper_quotes_account_id_mode_payer_currency_fkey" FOREIGN KEY ("account_id", "mode", "payer_currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_mode_fkey" FOREIGN KEY ("order_id", "mode") REFERENCES "orders"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_transfer_id_mode_fkey" FOREIGN KEY ("transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_hold_transfer_id_mode_fkey" FOREIGN KEY ("hold_transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "day_counts" ADD CONSTRAINT "day_counts_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "span_counts" ADD CONSTRAINT "span_counts_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "events" ADD CONSTRAINT "events_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "events" ADD CONSTRAINT "events_order_id_mode_fkey" FOREIGN KEY ("order_id", "mode") REFERENCES "orders"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "receivers" ADD CONSTRAINT "receivers_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event_id_mode_fkey" FOREIGN KEY ("event_id", "mode") REFERENCES "events"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_receiver_id_mode_fkey" FOREIGN KEY ("receiver_id", "mode") REFERENCES "receivers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_credential_id_mode_fkey" FOREIGN KEY ("credential_id", "mode") REFERENCES "credentials"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "timeline_entries" ADD CONSTRAINT "timeline_entries_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "timeline_entries" ADD CONSTRAINT "timeline_entries_receiver_id_mode_fkey" FOREIGN KEY ("receiver_id", "mode") REFERENCES "receivers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "console_users" ADD CONSTRAINT "console_users_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
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
ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_administrator_id_fkey" FOREIGN KEY ("administrator_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_account_id_mode_currency_fkey" FOREIGN KEY ("account_id", "mode", "currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_currency_fkey" FOREIGN KEY ("currency") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_decided_by_id_fkey" FOREIGN KEY ("decided_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_transfer_id_mode_fkey" FOREIGN KEY ("transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say.

-- One wallet a currency for each owner, one account a currency and kind for the house.
CREATE UNIQUE INDEX accounts_one_per_merchant ON accounts (merchant_id, mode, currency, kind) WHERE merchant_id IS NOT NULL;
CREATE UNIQUE INDEX accounts_one_per_wallet_user ON accounts (wallet_user_id, currency) WHERE wallet_user_id IS NOT NULL;
CREATE UNIQUE INDEX accounts_one_per_house ON accounts (mode, currency, kind) WHERE merchant_id IS NULL AND wallet_user_id IS NULL;

-- A client id has one secret that does not end: so it belongs to one merchant and mode, and nothing is rotated twice.
CREATE UNIQUE INDEX credentials_one_lasting_secret ON credentials (client_id) WHERE expires_at IS NULL;

-- One transfer pays one order, one refund or one payout; what is held is held for one of them.
CREATE UNIQUE INDEX orders_one_per_payment ON orders (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE UNIQUE INDEX refunds_one_per_transfer ON refunds (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE UNIQUE INDEX refunds_one_per_hold ON refunds (hold_transfer_id) WHERE hold_transfer_id IS NOT NULL;
CREATE UNIQUE INDEX payouts_one_per_transfer ON payouts (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE UNIQUE INDEX payouts_one_per_hold ON payouts (hold_transfer_id) WHERE hold_transfer_id IS NOT NULL;

-- An order is paid, expired, cancelled and wholly refunded at most once.
CREATE UNIQUE INDEX events_once_per_order ON events (order_id, name) WHERE name LIKE 'pos.order.%';

-- The work lists of expiry and of decisions that wait.
CREATE INDEX orders_due ON orders (expires_at) WHERE status = 'PENDING';
CREATE INDEX refunds_pending ON refunds (created_at) WHERE status = 'pending';
CREATE INDEX payouts_pending ON payouts (created_at) WHERE status = 'pending';

-- The work lists of deliveries.
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_queued ON deliveries (next_attempt_at) WHERE status = 'queued';

-- Lists of a receiver's deliveries, those that must follow when its state changes, and the failed ones, newest first, however many
-- were delivered.
CREATE INDEX deliveries_of_receiver ON deliveries (receiver_id, created_at DESC, id DESC) WHERE receiver_id IS NOT NULL;
CREATE INDEX deliveries_waiting ON deliveries (receiver_id) WHERE status IN ('pending', 'held') AND receiver_id IS NOT NULL;
CREATE INDEX deliveries_failed_of_receiver ON deliveries (receiver_id, created_at DESC, id DESC)
  WHERE status = 'failed' AND receiver_id IS NOT NULL;

-- A merchant has one endpoint an address; a removed one no longer counts.
CREATE UNIQUE INDEX receivers_one_per_address ON receivers (merchant_id, mode, address) WHERE removed_at IS NULL;
CREATE INDEX receivers_lagging ON receivers (id) WHERE deliveries_lag;

-- Quotes that nobody used are pruned by their expiry; used ones are kept for ever and would only make that search longer.
CREATE INDEX quotes_unused ON quotes (expires_at) WHERE used_at IS NULL;
CREATE INDEX shopper_quotes_unused ON shopper_quotes (expires_at) WHERE used_at IS NULL;

-- One schedule of fees a currency for a merchant, and one for all others.
CREATE UNIQUE INDEX fee_schedules_one_per_merchant ON fee_schedules (merchant_id, mode, currency) WHERE merchant_id IS NOT NULL;
CREATE UNIQUE INDEX fee_schedules_one_default ON fee_schedules (mode, currency) WHERE merchant_id IS NULL;

-- Each chain of records is numbered by itself.
CREATE UNIQUE INDEX audit_records_one_chain ON audit_records (merchant_id, number) WHERE merchant_id IS NOT NULL;
CREATE UNIQUE INDEX audit_records_one_house_chain ON audit_records (number) WHERE merchant_id IS NULL;

-- What was rejected may be asked for again.
CREATE UNIQUE INDEX approval_requests_one_per_reference ON approval_requests (mode, external_reference) WHERE status <> 'rejected';
CREATE UNIQUE INDEX approval_requests_one_limit ON approval_requests (currency) WHERE kind = 'single_limit' AND status = 'pending';
CREATE UNIQUE INDEX approval_requests_one_per_transfer ON approval_requests (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE INDEX approval_requests_pending ON approval_requests (requested_at) WHERE status = 'pending';

-- A payout is written before its transfer, in the same transaction.
ALTER TABLE payouts ALTER CONSTRAINT payouts_transfer_id_mode_fkey DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE payouts ALTER CONSTRAINT payouts_hold_transfer_id_mode_fkey DEFERRABLE INITIALLY DEFERRED;

-- One line of a transfer that is to be booked.
CREATE TYPE transfer_line AS (account_id uuid, currency text, amount bigint);

-- What is counted of wrong PINs: how many failures are free, after how long each is forgotten, and how long the locks last
-- that the last free one and each further one bring; the last of them repeats.
CREATE TYPE pin_counter AS (key bytea, free integer, forget_seconds integer, lock_seconds integer[]);

-- Until when events were pruned: never yet.
INSERT INTO event_retention (pruned_before) VALUES ('2000-01-01T00:00:00Z');
