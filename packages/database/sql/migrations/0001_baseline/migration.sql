-- Tables, types and indexes of the API's database. schema.prisma describes the part that Prisma supports. Functions and triggers are in
-- src/functions, checks in src/checks.

CREATE TYPE "mode" AS ENUM ('sandbox', 'live');
CREATE TYPE "account_kind" AS ENUM ('merchant', 'shopper', 'hold', 'fees', 'fx', 'issuing', 'funding');
CREATE TYPE "transfer_kind" AS ENUM ('payment', 'refund', 'top_up', 'payout', 'hold', 'hold_return', 'deposit', 'withdrawal', 'conversion');
CREATE TYPE "order_status" AS ENUM ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED');
CREATE TYPE "order_state" AS ENUM ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUND_PENDING', 'REFUNDED');
CREATE TYPE "payment_method" AS ENUM ('qr_only', 'payment_page', 'both');
CREATE TYPE "refund_status" AS ENUM ('pending', 'completed', 'failed');
CREATE TYPE "credential_kind" AS ENUM ('client', 'api_token', 'console');
CREATE TYPE "delivery_status" AS ENUM ('pending', 'queued', 'held', 'delivered', 'failed');
CREATE TYPE "payout_status" AS ENUM ('pending', 'completed', 'failed');
CREATE TYPE "usage_period" AS ENUM ('day', 'month');
CREATE TYPE "console_role" AS ENUM ('administrator', 'merchant');
CREATE TYPE "approval_kind" AS ENUM ('deposit', 'withdrawal', 'single_limit');
CREATE TYPE "approval_status" AS ENUM ('pending', 'approved', 'rejected');
CREATE TYPE "counted_kind" AS ENUM ('order', 'refund', 'payout');
CREATE TYPE "administrator_request_kind" AS ENUM ('add', 'enable');
CREATE TYPE "mail_status" AS ENUM ('waiting', 'sent', 'given_up');
CREATE TYPE "member_role" AS ENUM ('owner', 'developer', 'finance', 'viewer');
CREATE TYPE "console_link_kind" AS ENUM ('password', 'invitation', 'sign_up');
CREATE TYPE "payout_line_status" AS ENUM ('checking', 'ready', 'paying', 'done', 'failed');
CREATE TYPE "mail_topic" AS ENUM ('approvals', 'summary');

-- A line of a transfer to be booked.
CREATE TYPE "transfer_line" AS (account_id uuid, currency text, amount bigint);
-- A counter of wrong PINs: the failures allowed before the first lock, the time after which a failure no longer counts, and the duration of
-- each successive lock. The last duration repeats.
CREATE TYPE "pin_counter" AS (key bytea, free integer, forget_seconds integer, lock_seconds integer[]);
-- A line of a transfer that is written in a group, with the order or payout that it belongs to.
CREATE TYPE "booked_line" AS (item text, transfer_id uuid, mode mode, kind transfer_kind, external_reference text, account_id uuid, currency text, amount bigint);

-- A placeholder, because indexes use the function. The definition in src/functions/search replaces it before any row is written.
CREATE FUNCTION search_words(p_merchant_id uuid, p_mode mode, p_texts text[], p_amounts text[] DEFAULT '{}') RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS 'BEGIN RETURN NULL; END';

CREATE TABLE "merchants" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "suspended_at" TIMESTAMPTZ,
    "partner_api_enabled" BOOLEAN NOT NULL DEFAULT false,
    "refunds_need_approval" BOOLEAN NOT NULL DEFAULT false,
    "pay_requests_a_minute" INTEGER,
    "partner_requests_a_minute" INTEGER,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "notice_email" TEXT,

    CONSTRAINT "merchants_pkey" PRIMARY KEY (id)
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

    CONSTRAINT "merchant_branding_pkey" PRIMARY KEY (merchant_id)
);

CREATE TABLE "credentials" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" credential_kind NOT NULL,
    "client_id" TEXT,
    "secret_hash" BYTEA NOT NULL,
    "secret_ciphertext" BYTEA,
    "encryption_key_id" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ,
    "expires_at" TIMESTAMPTZ,
    "last_used_at" TIMESTAMPTZ,
    "replaces_id" UUID,
    "last_used_address" TEXT,
    "read_only" BOOLEAN NOT NULL DEFAULT false,
    "order_only" BOOLEAN NOT NULL DEFAULT false,
    "created_by_id" UUID,
    "name" TEXT,

    CONSTRAINT "credentials_pkey" PRIMARY KEY (id)
);

CREATE TABLE "currencies" (
    "code" VARCHAR(10) NOT NULL,
    "digits" SMALLINT NOT NULL,
    "name" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'fiat'::text,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "single_administrator_limit" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "currencies_pkey" PRIMARY KEY (code)
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
    "open_in" "mode",
    "pin_reset_at" TIMESTAMPTZ,

    CONSTRAINT "wallet_users_pkey" PRIMARY KEY (id)
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
    "device_id" UUID,
    "pin_order_id" TEXT,
    "remembered" BOOLEAN NOT NULL DEFAULT false,
    "passkey_challenge" TEXT,
    "passkey_challenge_until" TIMESTAMPTZ,

    CONSTRAINT "wallet_sessions_pkey" PRIMARY KEY (id)
);

CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "kind" account_kind NOT NULL,
    "merchant_id" UUID,
    "wallet_user_id" UUID,
    "balance" BIGINT,
    "closed_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY (id)
);

CREATE TABLE "transfers" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" transfer_kind NOT NULL,
    "corrects" UUID,
    "external_reference" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "transfers_pkey" PRIMARY KEY (id)
);

CREATE TABLE "entries" (
    "id" BIGSERIAL NOT NULL,
    "transfer_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "entries_pkey" PRIMARY KEY (id)
);

CREATE TABLE "orders" (
    "id" TEXT NOT NULL,
    "mode" "mode" NOT NULL,
    "merchant_id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "payment_method" payment_method NOT NULL,
    "status" order_status NOT NULL DEFAULT 'PENDING'::order_status,
    "state" order_state NOT NULL DEFAULT 'PENDING'::order_state,
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
    "locale" VARCHAR(35),
    "metadata" TEXT,
    "cancel_request_id" TEXT,
    "pay_request_id" TEXT,
    "create_request_id" TEXT,
    "traceparent" TEXT,

    CONSTRAINT "orders_pkey" PRIMARY KEY (id)
);

CREATE TABLE "shopper_quotes" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "order_id" TEXT NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "payer_currency" VARCHAR(10) NOT NULL,
    "payer_amount" BIGINT NOT NULL,
    "rate" NUMERIC(40,20) NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL,
    "used_at" TIMESTAMPTZ,

    CONSTRAINT "shopper_quotes_pkey" PRIMARY KEY (id)
);

CREATE TABLE "refunds" (
    "id" TEXT NOT NULL,
    "mode" "mode" NOT NULL,
    "merchant_id" UUID NOT NULL,
    "order_id" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "status" refund_status NOT NULL,
    "reason" TEXT,
    "reference" TEXT,
    "transfer_id" UUID,
    "hold_transfer_id" UUID,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "settled_at" TIMESTAMPTZ,
    "payer_amount" BIGINT,
    "metadata" TEXT,
    "credential_id" UUID,
    "request_id" TEXT,

    CONSTRAINT "refunds_pkey" PRIMARY KEY (id)
);

CREATE TABLE "day_counts" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" counted_kind NOT NULL,
    "day" DATE NOT NULL,
    "status" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "day_counts_pkey" PRIMARY KEY (merchant_id, mode, kind, day, status)
);

CREATE TABLE "span_counts" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" counted_kind NOT NULL,
    "starts_at" TIMESTAMPTZ NOT NULL,
    "status" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "span_counts_pkey" PRIMARY KEY (merchant_id, mode, kind, starts_at, status)
);

CREATE TABLE "idempotency_keys" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "resource_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "order_id" TEXT GENERATED ALWAYS AS (
CASE
    WHEN (operation = ANY (ARRAY['create_order'::text, 'create_payment'::text])) THEN resource_id
    ELSE NULL::text
END) STORED,
    "refund_id" TEXT GENERATED ALWAYS AS (
CASE
    WHEN (operation = 'refund_payment'::text) THEN resource_id
    ELSE NULL::text
END) STORED,
    "payout_id" TEXT GENERATED ALWAYS AS (
CASE
    WHEN (operation = 'execute_payout'::text) THEN resource_id
    ELSE NULL::text
END) STORED,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY (merchant_id, mode, operation, key)
);

CREATE TABLE "events" (
    "id" TEXT NOT NULL DEFAULT ('evt_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
    "mode" "mode" NOT NULL,
    "merchant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "order_id" TEXT,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "turn" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "number" BIGSERIAL NOT NULL,
    "refund_id" TEXT,
    "payout_id" TEXT,

    CONSTRAINT "events_pkey" PRIMARY KEY (id)
);

CREATE TABLE "event_retention" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "pruned_before" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "event_retention_pkey" PRIMARY KEY (id)
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
    "verified_at" TIMESTAMPTZ,

    CONSTRAINT "receivers_pkey" PRIMARY KEY (id)
);

CREATE TABLE "deliveries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "mode" "mode" NOT NULL,
    "event_id" TEXT NOT NULL,
    "receiver_id" UUID,
    "credential_id" UUID,
    "address" TEXT NOT NULL,
    "status" delivery_status NOT NULL DEFAULT 'queued'::delivery_status,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "attempts_before" INTEGER NOT NULL DEFAULT 0,
    "given_up_because" TEXT,
    "next_attempt_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "settled_at" TIMESTAMPTZ,
    "merchant_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "lane_id" UUID NOT NULL,
    "in_backlog" BOOLEAN NOT NULL DEFAULT false,
    "leased_by" UUID,
    "leased_at" TIMESTAMPTZ,
    "leased_until" TIMESTAMPTZ,
    "leased_as" TEXT,
    "leased_host" TEXT,
    "test_control" TEXT,
    "controlled_at" TIMESTAMPTZ,
    "held_seconds" INTEGER,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY (id)
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
    "request_headers" JSONb NOT NULL,

    CONSTRAINT "attempts_pkey" PRIMARY KEY (id)
);

CREATE TABLE "timeline_entries" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" TEXT NOT NULL,
    "receiver_id" UUID,
    "details" JSONb NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "timeline_entries_pkey" PRIMARY KEY (id)
);

CREATE TABLE "console_users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" console_role NOT NULL,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ,

    CONSTRAINT "console_users_pkey" PRIMARY KEY (id)
);

CREATE TABLE "pin_failures" (
    "key" BYTEA NOT NULL,
    "failures" INTEGER NOT NULL,
    "counted_at" TIMESTAMPTZ NOT NULL,
    "locked_until" TIMESTAMPTZ NOT NULL,
    "stale_at" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "pin_failures_pkey" PRIMARY KEY (key)
);

CREATE UNLOGGED TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY (key)
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

    CONSTRAINT "payout_terms_pkey" PRIMARY KEY (merchant_id, mode, currency)
);

CREATE TABLE "payout_usage" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "period" usage_period NOT NULL,
    "starts_on" DATE NOT NULL,
    "amount" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "payout_usage_pkey" PRIMARY KEY (merchant_id, mode, currency, period, starts_on)
);

CREATE TABLE "fee_schedules" (
    "id" UUID NOT NULL,
    "merchant_id" UUID,
    "mode" "mode" NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "fixed" BIGINT NOT NULL,
    "percent" NUMERIC(9,6) NOT NULL,

    CONSTRAINT "fee_schedules_pkey" PRIMARY KEY (id)
);

CREATE TABLE "exchange_rates" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "base" VARCHAR(10) NOT NULL,
    "quote" VARCHAR(10) NOT NULL,
    "rate" NUMERIC(40,20) NOT NULL,
    "spread_percent" NUMERIC(9,6) NOT NULL DEFAULT 0,
    "effective_from" TIMESTAMPTZ NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "exchange_rates_pkey" PRIMARY KEY (id)
);

CREATE TABLE "lookup_tokens" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL DEFAULT (clock_timestamp() + '00:10:00'::interval),

    CONSTRAINT "lookup_tokens_pkey" PRIMARY KEY (id)
);

CREATE TABLE "quotes" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "sender_currency" VARCHAR(10) NOT NULL,
    "fee" BIGINT NOT NULL,
    "rate" NUMERIC(40,20) NOT NULL,
    "receiver_amount" BIGINT NOT NULL,
    "receiver_currency" VARCHAR(10) NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL DEFAULT (clock_timestamp() + '00:05:00'::interval),
    "used_at" TIMESTAMPTZ,

    CONSTRAINT "quotes_pkey" PRIMARY KEY (id)
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
    "rate" NUMERIC(40,20) NOT NULL,
    "receiver_amount" BIGINT NOT NULL,
    "receiver_currency" VARCHAR(10) NOT NULL,
    "status" payout_status NOT NULL,
    "description" TEXT,
    "trx_id" TEXT,
    "transfer_id" UUID,
    "hold_transfer_id" UUID,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "processed_at" TIMESTAMPTZ,
    "metadata" TEXT,
    "traceparent" TEXT,

    CONSTRAINT "payouts_pkey" PRIMARY KEY (id)
);

CREATE TABLE "audit_records" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID,
    "number" INTEGER NOT NULL,
    "administrator_id" UUID,
    "administrator" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "previous_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,
    "credential_id" UUID,

    CONSTRAINT "audit_records_pkey" PRIMARY KEY (id)
);

CREATE TABLE "approval_requests" (
    "id" UUID NOT NULL,
    "kind" approval_kind NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID,
    "currency" VARCHAR(10) NOT NULL,
    "amount" BIGINT NOT NULL,
    "external_reference" TEXT,
    "status" approval_status NOT NULL DEFAULT 'pending'::approval_status,
    "requested_by_id" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "decided_by_id" UUID,
    "decided_at" TIMESTAMPTZ,
    "transfer_id" UUID,

    CONSTRAINT "approval_requests_pkey" PRIMARY KEY (id)
);

CREATE TABLE "event_floor" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "turn" BIGINT NOT NULL,

    CONSTRAINT "event_floor_pkey" PRIMARY KEY (id)
);

CREATE TABLE "expiry_failures" (
    "order_id" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "next_attempt_at" TIMESTAMPTZ NOT NULL,
    "error" TEXT NOT NULL,

    CONSTRAINT "expiry_failures_pkey" PRIMARY KEY (order_id)
);

CREATE TABLE "delivery_lanes" (
    "id" UUID NOT NULL,
    "answers" BOOLEAN NOT NULL,
    "slow_in_row" SMALLINT NOT NULL DEFAULT 0,
    "changed_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "delivery_lanes_pkey" PRIMARY KEY (id)
);

CREATE TABLE "administrator_requests" (
    "id" UUID NOT NULL,
    "kind" administrator_request_kind NOT NULL,
    "email" TEXT NOT NULL,
    "half_ciphertext" BYTEA NOT NULL,
    "encryption_key_id" TEXT NOT NULL,
    "status" approval_status NOT NULL DEFAULT 'pending'::approval_status,
    "requested_by_id" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "decided_by_id" UUID,
    "decided_at" TIMESTAMPTZ,

    CONSTRAINT "administrator_requests_pkey" PRIMARY KEY (id)
);

CREATE TABLE "wallet_devices" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL,
    "browser" TEXT NOT NULL DEFAULT ''::text,

    CONSTRAINT "wallet_devices_pkey" PRIMARY KEY (id)
);

CREATE TABLE "notices" (
    "id" BIGINT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "dismissed_at" TIMESTAMPTZ,
    "dismissed_by_id" UUID,

    CONSTRAINT "notices_pkey" PRIMARY KEY (id)
);

CREATE TABLE "notice_mails" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "notice_id" BIGINT NOT NULL,
    "address" TEXT NOT NULL,
    "status" mail_status NOT NULL DEFAULT 'waiting'::mail_status,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "leased_by" UUID,
    "leased_until" TIMESTAMPTZ,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "settled_at" TIMESTAMPTZ,

    CONSTRAINT "notice_mails_pkey" PRIMARY KEY (id)
);

CREATE TABLE "count_deltas" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" counted_kind NOT NULL,
    "starts_at" TIMESTAMPTZ NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "status" TEXT NOT NULL,
    "change" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL DEFAULT 0,
    "currency" VARCHAR(10) NOT NULL DEFAULT ''::character varying,

    CONSTRAINT "count_deltas_pkey" PRIMARY KEY (merchant_id, mode, kind, starts_at, id)
);

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
    "passkey_challenge" TEXT,
    "passkey_challenge_until" TIMESTAMPTZ,

    CONSTRAINT "console_sessions_pkey" PRIMARY KEY (id)
);

CREATE TABLE "console_totps" (
    "user_id" UUID NOT NULL,
    "secret_ciphertext" BYTEA NOT NULL,
    "encryption_key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "confirmed_at" TIMESTAMPTZ,
    "last_step" INTEGER,

    CONSTRAINT "console_totps_pkey" PRIMARY KEY (user_id)
);

CREATE TABLE "console_recovery_codes" (
    "user_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "used_at" TIMESTAMPTZ,

    CONSTRAINT "console_recovery_codes_pkey" PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE "console_members" (
    "user_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "role" member_role NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "console_members_pkey" PRIMARY KEY (user_id, merchant_id)
);

CREATE TABLE "console_links" (
    "id" UUID NOT NULL,
    "user_id" UUID,
    "token_hash" BYTEA NOT NULL,
    "token_ciphertext" BYTEA,
    "encryption_key_id" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL,
    "used_at" TIMESTAMPTZ,
    "next_attempt_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "email" TEXT,
    "invited_by_id" UUID,
    "kind" console_link_kind NOT NULL,
    "merchant_id" UUID,
    "role" member_role,
    "next_path" TEXT,

    CONSTRAINT "console_links_pkey" PRIMARY KEY (id)
);

CREATE TABLE "day_sums" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" counted_kind NOT NULL,
    "day" DATE NOT NULL,
    "status" TEXT NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "day_sums_pkey" PRIMARY KEY (merchant_id, mode, kind, day, status, currency)
);

CREATE TABLE "console_passkeys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "last_used_at" TIMESTAMPTZ,

    CONSTRAINT "console_passkeys_pkey" PRIMARY KEY (id)
);

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

    CONSTRAINT "tills_pkey" PRIMARY KEY (id)
);

CREATE TABLE "payout_batches" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "name" TEXT NOT NULL,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "round" INTEGER NOT NULL DEFAULT 1,
    "confirmed_at" TIMESTAMPTZ,
    "confirmed_by_id" UUID,
    "request_id" TEXT,
    "discarded_at" TIMESTAMPTZ,

    CONSTRAINT "payout_batches_pkey" PRIMARY KEY (id)
);

CREATE TABLE "payout_batch_lines" (
    "batch_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "recipient" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "sender_currency" VARCHAR(10) NOT NULL,
    "receiver_currency" VARCHAR(10) NOT NULL,
    "reference" TEXT NOT NULL,
    "description" TEXT,
    "status" payout_line_status NOT NULL DEFAULT 'checking'::payout_line_status,
    "leased_by" UUID,
    "leased_until" TIMESTAMPTZ,
    "failure" TEXT,
    "wallet_user_id" UUID,
    "fee" BIGINT,
    "rate" NUMERIC(40,20),
    "receiver_amount" BIGINT,
    "payout_id" TEXT,

    CONSTRAINT "payout_batch_lines_pkey" PRIMARY KEY (batch_id, number)
);

CREATE TABLE "ledger_proofs" (
    "id" UUID NOT NULL,
    "requested_by_id" UUID,
    "requested_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "started_at" TIMESTAMPTZ,
    "leased_by" UUID,
    "leased_until" TIMESTAMPTZ,
    "finished_at" TIMESTAMPTZ,
    "sound" BOOLEAN,
    "faults" TEXT[],
    "error" TEXT,

    CONSTRAINT "ledger_proofs_pkey" PRIMARY KEY (id)
);

CREATE TABLE "mail_subscriptions" (
    "merchant_id" UUID NOT NULL,
    "topic" mail_topic NOT NULL,
    "address" TEXT NOT NULL,

    CONSTRAINT "mail_subscriptions_pkey" PRIMARY KEY (merchant_id, topic, address)
);

CREATE TABLE "digest_mails" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "topic" mail_topic NOT NULL,
    "merchant_id" UUID,
    "about" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "status" mail_status NOT NULL DEFAULT 'waiting'::mail_status,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "leased_by" UUID,
    "leased_until" TIMESTAMPTZ,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "settled_at" TIMESTAMPTZ,

    CONSTRAINT "digest_mails_pkey" PRIMARY KEY (id)
);

CREATE TABLE "api_requests" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "at" TIMESTAMPTZ NOT NULL,
    "dropped" INTEGER NOT NULL DEFAULT 0,
    "request_id" TEXT,
    "credential_id" UUID,
    "method" TEXT,
    "path" TEXT,
    "status" SMALLINT,
    "error_code" TEXT,
    "duration_ms" INTEGER,
    "client_address" TEXT,
    "about" TEXT,
    "request_body" TEXT,
    "answer_body" TEXT,

    CONSTRAINT "api_requests_pkey" PRIMARY KEY (id)
);

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

    CONSTRAINT "payment_links_pkey" PRIMARY KEY (id)
);

CREATE TABLE "payment_link_orders" (
    "order_id" TEXT NOT NULL,
    "link_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "visitor_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "payment_link_orders_pkey" PRIMARY KEY (order_id)
);

CREATE TABLE "console_views" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "console_views_pkey" PRIMARY KEY (id)
);

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

    CONSTRAINT "shop_connections_pkey" PRIMARY KEY (id)
);

CREATE TABLE "conversions" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "from_currency" VARCHAR(10) NOT NULL,
    "from_amount" BIGINT NOT NULL,
    "to_currency" VARCHAR(10) NOT NULL,
    "to_amount" BIGINT NOT NULL,
    "rate" NUMERIC(40,20) NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL,
    "used_at" TIMESTAMPTZ,
    "transfer_id" UUID,

    CONSTRAINT "conversions_pkey" PRIMARY KEY (id)
);

CREATE TABLE "embed_origins" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "origin" TEXT NOT NULL,

    CONSTRAINT "embed_origins_pkey" PRIMARY KEY (merchant_id, mode, origin)
);

CREATE TABLE "wallet_passkeys" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "last_used_at" TIMESTAMPTZ,
    "revoked_at" TIMESTAMPTZ,

    CONSTRAINT "wallet_passkeys_pkey" PRIMARY KEY (id)
);

CREATE TABLE "payment_challenges" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "order_id" TEXT NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "quote_id" UUID,
    "text" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "used_at" TIMESTAMPTZ,

    CONSTRAINT "payment_challenges_pkey" PRIMARY KEY (id)
);

CREATE TABLE "payment_confirmations" (
    "order_id" TEXT NOT NULL,
    "mode" "mode" NOT NULL,
    "passkey_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "origin" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "client_data" BYTEA NOT NULL,
    "authenticator_data" BYTEA NOT NULL,
    "signature" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "payment_confirmations_pkey" PRIMARY KEY (order_id)
);

CREATE TABLE "test_controls" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "control" TEXT NOT NULL,
    "remaining" INTEGER NOT NULL,
    "seconds" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL DEFAULT (clock_timestamp() + '01:00:00'::interval),

    CONSTRAINT "test_controls_pkey" PRIMARY KEY (id)
);

CREATE TABLE "backup_reports" (
    "id" UUID NOT NULL,
    "finished_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "error" TEXT,

    CONSTRAINT "backup_reports_pkey" PRIMARY KEY (id)
);

CREATE TABLE "replays" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "mode" "mode" NOT NULL,
    "merchant_id" UUID NOT NULL,
    "receiver_id" UUID,
    "credential_id" UUID,
    "address" TEXT,
    "events" TEXT[],
    "from_time" TIMESTAMPTZ NOT NULL,
    "to_time" TIMESTAMPTZ NOT NULL,
    "turn" BIGINT NOT NULL DEFAULT 0,
    "number" BIGINT NOT NULL DEFAULT 0,
    "last_turn" BIGINT NOT NULL,
    "last_number" BIGINT NOT NULL,
    "skip_failed" BOOLEAN NOT NULL DEFAULT false,
    "state" TEXT NOT NULL DEFAULT 'running'::text,
    "event_id" TEXT,
    "delivery_id" UUID,
    "total" INTEGER NOT NULL,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "idempotency_key" TEXT,
    "request_hash" BYTEA,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "ended_at" TIMESTAMPTZ,

    CONSTRAINT "replays_pkey" PRIMARY KEY (id)
);

CREATE TABLE "quarter_hour_sums" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" counted_kind NOT NULL,
    "starts_at" TIMESTAMPTZ NOT NULL,
    "status" TEXT NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "count" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "quarter_hour_sums_pkey" PRIMARY KEY (merchant_id, mode, kind, starts_at, status, currency)
);

CREATE INDEX "merchant_branding_logo_id_idx" ON "merchant_branding" (logo_id);
CREATE UNIQUE INDEX "credentials_secret_hash_key" ON "credentials" (secret_hash);
CREATE INDEX "credentials_merchant_id_mode_idx" ON "credentials" (merchant_id, mode);
CREATE INDEX "credentials_client_id_idx" ON "credentials" (client_id);
CREATE UNIQUE INDEX "credentials_id_merchant_id_mode_key" ON "credentials" (id, merchant_id, mode);
CREATE UNIQUE INDEX "credentials_replaces_id_merchant_id_mode_key" ON "credentials" (replaces_id, merchant_id, mode);
-- A client ID has one secret without expiry. It therefore belongs to one merchant and mode, and a secret is replaced at most once.
CREATE UNIQUE INDEX "credentials_one_lasting_secret" ON "credentials" (client_id) WHERE (expires_at IS NULL);
-- Excludes the other kinds, because a new enum value cannot be used in the transaction that adds it.
CREATE UNIQUE INDEX "credentials_one_for_the_console" ON "credentials" (merchant_id, mode) WHERE ((kind <> 'client'::credential_kind) AND (kind <> 'api_token'::credential_kind));
CREATE INDEX "credentials_created_by_id_idx" ON "credentials" (created_by_id);
CREATE UNIQUE INDEX "wallet_users_test_of_merchant_id_key" ON "wallet_users" (test_of_merchant_id);
CREATE UNIQUE INDEX "wallet_users_mode_phone_key" ON "wallet_users" (mode, phone);
CREATE UNIQUE INDEX "wallet_users_mode_email_key" ON "wallet_users" (mode, email);
CREATE UNIQUE INDEX "wallet_users_id_mode_key" ON "wallet_users" (id, mode);
CREATE UNIQUE INDEX "wallet_users_open_in_key" ON "wallet_users" (open_in);
CREATE INDEX "wallet_users_by_word" ON "wallet_users" USING gin (search_words(NULL::uuid, mode, ARRAY[name]));
CREATE UNIQUE INDEX "wallet_sessions_token_hash_key" ON "wallet_sessions" (token_hash);
CREATE UNIQUE INDEX "wallet_sessions_previous_token_hash_key" ON "wallet_sessions" (previous_token_hash);
CREATE INDEX "wallet_sessions_wallet_user_id_mode_idx" ON "wallet_sessions" (wallet_user_id, mode);
CREATE INDEX "wallet_sessions_expires_at_idx" ON "wallet_sessions" (expires_at);
CREATE INDEX "wallet_sessions_device_id_idx" ON "wallet_sessions" (device_id);
CREATE UNIQUE INDEX "accounts_id_mode_currency_key" ON "accounts" (id, mode, currency);
-- One wallet per owner and currency; one house account per currency and kind.
CREATE UNIQUE INDEX "accounts_one_per_merchant" ON "accounts" (merchant_id, mode, currency, kind) WHERE (merchant_id IS NOT NULL);
CREATE UNIQUE INDEX "accounts_one_per_wallet_user" ON "accounts" (wallet_user_id, currency) WHERE (wallet_user_id IS NOT NULL);
CREATE UNIQUE INDEX "accounts_one_per_house" ON "accounts" (mode, currency, kind) WHERE ((merchant_id IS NULL) AND (wallet_user_id IS NULL));
CREATE UNIQUE INDEX "transfers_id_mode_key" ON "transfers" (id, mode);
CREATE UNIQUE INDEX "transfers_mode_external_reference_key" ON "transfers" (mode, external_reference);
-- A transfer is corrected at most once.
CREATE UNIQUE INDEX "transfers_corrects_mode_key" ON "transfers" (corrects, mode);
CREATE INDEX "entries_transfer_id_idx" ON "entries" (transfer_id);
CREATE INDEX "entries_account_id_id_idx" ON "entries" (account_id, id);
CREATE UNIQUE INDEX "orders_token_key" ON "orders" (token);
CREATE UNIQUE INDEX "orders_trx_id_key" ON "orders" (trx_id);
CREATE INDEX "orders_merchant_id_mode_created_at_id_idx" ON "orders" (merchant_id, mode, created_at DESC, id DESC);
CREATE INDEX "orders_merchant_id_mode_state_created_at_id_idx" ON "orders" (merchant_id, mode, state, created_at DESC, id DESC);
CREATE INDEX "orders_merchant_id_mode_reference_created_at_id_state_idx" ON "orders" (merchant_id, mode, reference, created_at DESC, id DESC, state);
CREATE UNIQUE INDEX "orders_id_mode_key" ON "orders" (id, mode);
CREATE UNIQUE INDEX "orders_quote_id_mode_key" ON "orders" (quote_id, mode);
-- A transfer pays one order, refund or payout, and a hold belongs to one refund or payout.
CREATE UNIQUE INDEX "orders_one_per_payment" ON "orders" (transfer_id) WHERE (transfer_id IS NOT NULL);
-- Pending orders by expiry, for the job that expires them.
CREATE INDEX "orders_due" ON "orders" (expires_at) WHERE (status = 'PENDING'::order_status);
CREATE UNIQUE INDEX "orders_id_merchant_id_mode_key" ON "orders" (id, merchant_id, mode);
-- For the console's search. Orders created through the Pay API have no order number.
CREATE INDEX "orders_by_order_number" ON "orders" (merchant_id, mode, order_number, created_at DESC, id DESC) WHERE (order_number IS NOT NULL);
-- Open orders at a terminal; few rows at any time.
CREATE INDEX "orders_open_at_terminal" ON "orders" (merchant_id, mode, terminal_id, created_at DESC) WHERE ((status = 'PENDING'::order_status) AND (terminal_id IS NOT NULL));
CREATE INDEX "orders_by_request" ON "orders" USING gin ((ARRAY[create_request_id, pay_request_id, cancel_request_id]));
CREATE INDEX "orders_by_word" ON "orders" USING gin (search_words(merchant_id, mode, ARRAY[reference, order_number, description, terminal_id], ARRAY[((currency)::text || (amount)::text)]));
-- For the console's list of partly refunded orders, of which there are few.
CREATE INDEX "orders_partly_refunded" ON "orders" (merchant_id, mode, created_at DESC, id DESC) WHERE ((state = 'PAID'::order_state) AND (refunded > 0));
CREATE INDEX "shopper_quotes_order_id_wallet_user_id_created_at_idx" ON "shopper_quotes" (order_id, wallet_user_id, created_at DESC);
CREATE UNIQUE INDEX "shopper_quotes_id_mode_key" ON "shopper_quotes" (id, mode);
CREATE INDEX "shopper_quotes_unused" ON "shopper_quotes" (expires_at) WHERE (used_at IS NULL);
CREATE INDEX "refunds_merchant_id_mode_created_at_id_idx" ON "refunds" (merchant_id, mode, created_at DESC, id DESC);
CREATE INDEX "refunds_merchant_id_mode_status_created_at_id_idx" ON "refunds" (merchant_id, mode, status, created_at DESC, id DESC);
CREATE INDEX "refunds_order_id_created_at_id_status_idx" ON "refunds" (order_id, created_at DESC, id DESC, status);
CREATE UNIQUE INDEX "refunds_one_per_transfer" ON "refunds" (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE UNIQUE INDEX "refunds_one_per_hold" ON "refunds" (hold_transfer_id) WHERE (hold_transfer_id IS NOT NULL);
CREATE INDEX "refunds_pending" ON "refunds" (created_at) WHERE (status = 'pending'::refund_status);
CREATE UNIQUE INDEX "refunds_id_order_id_key" ON "refunds" (id, order_id);
CREATE INDEX "refunds_by_reference" ON "refunds" (merchant_id, mode, reference, created_at DESC, id DESC) WHERE (reference IS NOT NULL);
CREATE INDEX "refunds_by_request" ON "refunds" (request_id) WHERE (request_id IS NOT NULL);
CREATE UNIQUE INDEX "refunds_id_merchant_id_mode_key" ON "refunds" (id, merchant_id, mode);
CREATE INDEX "refunds_by_word" ON "refunds" USING gin (search_words(merchant_id, mode, ARRAY[reference, reason], ARRAY[((currency)::text || (amount)::text)]));
CREATE INDEX "events_created_at_idx" ON "events" (created_at);
CREATE INDEX "events_merchant_id_mode_created_at_idx" ON "events" (merchant_id, mode, created_at DESC);
CREATE INDEX "events_merchant_id_mode_turn_number_idx" ON "events" (merchant_id, mode, turn, number);
-- An order is paid, expires, is cancelled and is fully refunded at most once.
CREATE UNIQUE INDEX "events_once_per_order" ON "events" (order_id, name) WHERE (name ~~ 'pos.order.%'::text);
-- A refund or payout is settled once.
CREATE UNIQUE INDEX "events_refund_id_name_key" ON "events" (refund_id, name);
CREATE UNIQUE INDEX "events_payout_id_name_key" ON "events" (payout_id, name);
-- Finds the turn of an order's latest event without reading the earlier ones.
CREATE INDEX "events_order_id_turn_idx" ON "events" (order_id, turn);
CREATE UNIQUE INDEX "events_id_merchant_id_mode_key" ON "events" (id, merchant_id, mode);
CREATE INDEX "receivers_merchant_id_mode_idx" ON "receivers" (merchant_id, mode);
-- A merchant has at most one endpoint per address, not counting removed ones.
CREATE UNIQUE INDEX "receivers_one_per_address" ON "receivers" (merchant_id, mode, address) WHERE (removed_at IS NULL);
CREATE INDEX "receivers_lagging" ON "receivers" (id) WHERE deliveries_lag;
CREATE UNIQUE INDEX "receivers_id_merchant_id_mode_key" ON "receivers" (id, merchant_id, mode);
CREATE INDEX "deliveries_event_id_idx" ON "deliveries" (event_id);
-- Deliveries by the time of their next attempt, for the worker that queues them.
CREATE INDEX "deliveries_due" ON "deliveries" (next_attempt_at) WHERE (status = 'pending'::delivery_status);
-- A receiver's deliveries, newest first. The failed ones have an index of their own, so that listing them does not read the delivered ones.
CREATE INDEX "deliveries_of_receiver" ON "deliveries" (receiver_id, created_at DESC, id DESC) WHERE (receiver_id IS NOT NULL);
CREATE INDEX "deliveries_failed_of_receiver" ON "deliveries" (receiver_id, created_at DESC, id DESC) WHERE ((status = 'failed'::delivery_status) AND (receiver_id IS NOT NULL));
-- Queued deliveries in order: by queue and lane, the backlog last, oldest first.
CREATE INDEX "deliveries_in_turn" ON "deliveries" (queue_id, lane_id, in_backlog, next_attempt_at) WHERE ((status = 'queued'::delivery_status) AND (leased_until IS NULL));
-- Deliveries being attempted by any process.
CREATE INDEX "deliveries_leased" ON "deliveries" (leased_until) WHERE (leased_until IS NOT NULL);
CREATE INDEX "deliveries_waiting" ON "deliveries" (receiver_id) WHERE ((status = ANY (ARRAY['pending'::delivery_status, 'queued'::delivery_status, 'held'::delivery_status])) AND (receiver_id IS NOT NULL));
-- An endpoint has one delivery per event, so that concurrent requests to send missed events send none twice.
CREATE UNIQUE INDEX "deliveries_one_an_endpoint" ON "deliveries" (receiver_id, event_id) WHERE (receiver_id IS NOT NULL);
CREATE INDEX "attempts_started_at_idx" ON "attempts" (started_at);
CREATE UNIQUE INDEX "attempts_delivery_id_number_key" ON "attempts" (delivery_id, number);
CREATE INDEX "timeline_entries_merchant_id_mode_id_idx" ON "timeline_entries" (merchant_id, mode, id DESC);
CREATE INDEX "timeline_entries_created_at_idx" ON "timeline_entries" (created_at);
CREATE UNIQUE INDEX "console_users_email_key" ON "console_users" (email);
CREATE INDEX "pin_failures_stale_at_idx" ON "pin_failures" (stale_at);
-- One fee schedule per merchant and currency, and one default per currency.
CREATE UNIQUE INDEX "fee_schedules_one_per_merchant" ON "fee_schedules" (merchant_id, mode, currency) WHERE (merchant_id IS NOT NULL);
CREATE UNIQUE INDEX "fee_schedules_one_default" ON "fee_schedules" (mode, currency) WHERE (merchant_id IS NULL);
CREATE INDEX "exchange_rates_mode_base_quote_effective_from_created_at_idx" ON "exchange_rates" (mode, base, quote, effective_from DESC, created_at DESC);
-- Finds the rates set in one transaction, which share an audit record.
CREATE INDEX "exchange_rates_created_at_idx" ON "exchange_rates" (created_at);
CREATE INDEX "lookup_tokens_expires_at_idx" ON "lookup_tokens" (expires_at);
CREATE UNIQUE INDEX "quotes_id_mode_key" ON "quotes" (id, mode);
-- Unused quotes are pruned after expiry. Used ones are kept, and would slow that search down.
CREATE INDEX "quotes_unused" ON "quotes" (expires_at) WHERE (used_at IS NULL);
CREATE UNIQUE INDEX "payouts_trx_id_key" ON "payouts" (trx_id);
CREATE INDEX "payouts_merchant_id_mode_created_at_id_idx" ON "payouts" (merchant_id, mode, created_at DESC, id DESC);
CREATE UNIQUE INDEX "payouts_quote_id_mode_key" ON "payouts" (quote_id, mode);
CREATE UNIQUE INDEX "payouts_merchant_id_mode_reference_key" ON "payouts" (merchant_id, mode, reference);
CREATE UNIQUE INDEX "payouts_one_per_transfer" ON "payouts" (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE UNIQUE INDEX "payouts_one_per_hold" ON "payouts" (hold_transfer_id) WHERE (hold_transfer_id IS NOT NULL);
CREATE INDEX "payouts_pending" ON "payouts" (created_at) WHERE (status = 'pending'::payout_status);
CREATE INDEX "payouts_merchant_id_mode_status_created_at_id_idx" ON "payouts" (merchant_id, mode, status, created_at DESC, id DESC);
CREATE UNIQUE INDEX "payouts_id_merchant_id_mode_key" ON "payouts" (id, merchant_id, mode);
CREATE INDEX "payouts_by_word" ON "payouts" USING gin (search_words(merchant_id, mode, ARRAY[reference, description], ARRAY[((sender_currency)::text || (amount)::text), ((sender_currency)::text || ((amount + fee))::text), ((receiver_currency)::text || (receiver_amount)::text)]));
-- Each chain of audit records has its own numbering.
CREATE UNIQUE INDEX "audit_records_one_chain" ON "audit_records" (merchant_id, number) WHERE (merchant_id IS NOT NULL);
CREATE UNIQUE INDEX "audit_records_one_house_chain" ON "audit_records" (number) WHERE (merchant_id IS NULL);
-- Records of one subject, such as the wallet of a deposit.
CREATE INDEX "audit_records_subject_idx" ON "audit_records" (subject);
CREATE INDEX "audit_records_by_request" ON "audit_records" ((((details)::json ->> 'request_id'::text))) WHERE (((details)::json ->> 'request_id'::text) IS NOT NULL);
-- A rejected request may be made again.
CREATE UNIQUE INDEX "approval_requests_one_per_reference" ON "approval_requests" (mode, external_reference) WHERE (status <> 'rejected'::approval_status);
CREATE UNIQUE INDEX "approval_requests_one_limit" ON "approval_requests" (currency) WHERE ((kind = 'single_limit'::approval_kind) AND (status = 'pending'::approval_status));
CREATE UNIQUE INDEX "approval_requests_one_per_transfer" ON "approval_requests" (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE INDEX "approval_requests_pending" ON "approval_requests" (requested_at) WHERE (status = 'pending'::approval_status);
CREATE INDEX "delivery_lanes_changed_at_idx" ON "delivery_lanes" (changed_at);
CREATE UNIQUE INDEX "administrator_requests_one_per_email" ON "administrator_requests" (email) WHERE (status = 'pending'::approval_status);
CREATE INDEX "wallet_devices_wallet_user_id_mode_idx" ON "wallet_devices" (wallet_user_id, mode);
CREATE INDEX "wallet_devices_expires_at_idx" ON "wallet_devices" (expires_at);
CREATE UNIQUE INDEX "wallet_devices_token_hash_wallet_user_id_key" ON "wallet_devices" (token_hash, wallet_user_id);
CREATE INDEX "notices_merchant_id_mode_id_idx" ON "notices" (merchant_id, mode, id DESC);
CREATE UNIQUE INDEX "notice_mails_notice_id_address_key" ON "notice_mails" (notice_id, address);
-- Only mails to be sent; the others are not read again.
CREATE INDEX "notice_mails_waiting_idx" ON "notice_mails" (next_attempt_at) WHERE (status = 'waiting'::mail_status);
CREATE UNIQUE INDEX "console_sessions_token_hash_key" ON "console_sessions" (token_hash);
CREATE INDEX "console_sessions_user_id_idx" ON "console_sessions" (user_id);
CREATE INDEX "console_sessions_expires_at_idx" ON "console_sessions" (expires_at);
CREATE INDEX "console_members_merchant_id_idx" ON "console_members" (merchant_id);
CREATE UNIQUE INDEX "console_links_token_hash_key" ON "console_links" (token_hash);
CREATE INDEX "console_links_user_id_idx" ON "console_links" (user_id);
CREATE INDEX "console_links_expires_at_idx" ON "console_links" (expires_at);
CREATE INDEX "console_links_merchant_id_idx" ON "console_links" (merchant_id);
CREATE UNIQUE INDEX "console_passkeys_credential_id_key" ON "console_passkeys" (credential_id);
CREATE INDEX "console_passkeys_user_id_idx" ON "console_passkeys" (user_id);
CREATE UNIQUE INDEX "tills_token_key" ON "tills" (token);
CREATE UNIQUE INDEX "tills_merchant_id_mode_terminal_id_key" ON "tills" (merchant_id, mode, terminal_id);
CREATE UNIQUE INDEX "payout_batches_id_merchant_id_mode_key" ON "payout_batches" (id, merchant_id, mode);
CREATE INDEX "payout_batches_merchant_id_mode_created_at_id_idx" ON "payout_batches" (merchant_id, mode, created_at DESC, id DESC);
CREATE UNIQUE INDEX "payout_batch_lines_payout_id_key" ON "payout_batch_lines" (payout_id);
CREATE UNIQUE INDEX "payout_batch_lines_batch_id_reference_key" ON "payout_batch_lines" (batch_id, reference);
CREATE INDEX "payout_batch_lines_merchant_id_mode_recipient_idx" ON "payout_batch_lines" (merchant_id, mode, recipient);
-- Lines that workers process. Prisma does not support partial indexes.
CREATE INDEX "payout_batch_lines_open" ON "payout_batch_lines" (number) WHERE (status = ANY (ARRAY['checking'::payout_line_status, 'paying'::payout_line_status]));
CREATE INDEX "ledger_proofs_requested_at_idx" ON "ledger_proofs" (requested_at DESC);
-- One proof is open at a time. Prisma does not support such an index.
CREATE UNIQUE INDEX "ledger_proofs_one_open" ON "ledger_proofs" ((true)) WHERE (finished_at IS NULL);
CREATE UNIQUE INDEX "digest_mails_topic_about_address_key" ON "digest_mails" (topic, about, address);
CREATE INDEX "digest_mails_created_at_idx" ON "digest_mails" (created_at);
-- Mails that workers send.
CREATE INDEX "digest_mails_waiting_idx" ON "digest_mails" (next_attempt_at) WHERE (status = 'waiting'::mail_status);
CREATE INDEX "api_requests_merchant_id_mode_id_idx" ON "api_requests" (merchant_id, mode, id DESC);
CREATE INDEX "api_requests_request_id_idx" ON "api_requests" (request_id);
-- The timeline of an order, refund or payout shows the calls that created or changed it, and not the many calls that read it.
CREATE INDEX "api_requests_about" ON "api_requests" (about, id DESC) WHERE ((about IS NOT NULL) AND (method <> 'GET'::text));
CREATE UNIQUE INDEX "payment_links_token_key" ON "payment_links" (token);
CREATE UNIQUE INDEX "payment_links_id_merchant_id_mode_key" ON "payment_links" (id, merchant_id, mode);
CREATE INDEX "payment_links_merchant_id_mode_created_at_id_idx" ON "payment_links" (merchant_id, mode, created_at DESC, id DESC);
CREATE UNIQUE INDEX "payment_link_orders_order_id_merchant_id_mode_key" ON "payment_link_orders" (order_id, merchant_id, mode);
CREATE INDEX "payment_link_orders_link_id_created_at_idx" ON "payment_link_orders" (link_id, created_at DESC);
CREATE INDEX "payment_link_orders_link_id_visitor_hash_created_at_idx" ON "payment_link_orders" (link_id, visitor_hash, created_at DESC);
CREATE UNIQUE INDEX "console_views_user_id_merchant_id_mode_list_name_key" ON "console_views" (user_id, merchant_id, mode, list, name);
CREATE UNIQUE INDEX "shop_connections_code_hash_key" ON "shop_connections" (code_hash);
CREATE INDEX "shop_connections_merchant_id_created_at_idx" ON "shop_connections" (merchant_id, created_at DESC);
CREATE UNIQUE INDEX "conversions_transfer_id_key" ON "conversions" (transfer_id);
CREATE INDEX "conversions_unused" ON "conversions" (expires_at) WHERE (used_at IS NULL);
CREATE UNIQUE INDEX "wallet_passkeys_credential_id_key" ON "wallet_passkeys" (credential_id);
CREATE UNIQUE INDEX "wallet_passkeys_id_mode_key" ON "wallet_passkeys" (id, mode);
CREATE INDEX "wallet_passkeys_wallet_user_id_mode_idx" ON "wallet_passkeys" (wallet_user_id, mode);
CREATE UNIQUE INDEX "payment_challenges_challenge_key" ON "payment_challenges" (challenge);
CREATE INDEX "payment_challenges_expires_at_idx" ON "payment_challenges" (expires_at);
CREATE INDEX "payment_confirmations_passkey_id_mode_idx" ON "payment_confirmations" (passkey_id, mode);
CREATE INDEX "test_controls_merchant_id_created_at_idx" ON "test_controls" (merchant_id, created_at);
CREATE INDEX "test_controls_expires_at_idx" ON "test_controls" (expires_at);
CREATE INDEX "backup_reports_finished_at_idx" ON "backup_reports" (finished_at DESC);
CREATE INDEX "replays_merchant_id_mode_created_at_idx" ON "replays" (merchant_id, mode, created_at);
CREATE INDEX "replays_ended_at_idx" ON "replays" (ended_at);
CREATE UNIQUE INDEX "replays_merchant_id_mode_idempotency_key_key" ON "replays" (merchant_id, mode, idempotency_key);
-- One running replay per endpoint, and per merchant and address. The address is hashed because it may be too long for an index.
CREATE UNIQUE INDEX "replays_one_an_endpoint" ON "replays" (receiver_id) WHERE ((state = 'running'::text) AND (receiver_id IS NOT NULL));
CREATE UNIQUE INDEX "replays_one_an_address" ON "replays" (merchant_id, mode, md5(address)) WHERE ((state = 'running'::text) AND (address IS NOT NULL));
CREATE UNIQUE INDEX "replays_under_way" ON "replays" (delivery_id) WHERE (state = 'running'::text);

ALTER TABLE "merchant_branding" ADD CONSTRAINT "merchant_branding_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_replaces_id_merchant_id_mode_fkey" FOREIGN KEY (replaces_id, merchant_id, mode) REFERENCES credentials(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_created_by_id_fkey" FOREIGN KEY (created_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "wallet_users" ADD CONSTRAINT "wallet_users_test_of_merchant_id_fkey" FOREIGN KEY (test_of_merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "wallet_sessions" ADD CONSTRAINT "wallet_sessions_wallet_user_id_mode_fkey" FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "wallet_sessions" ADD CONSTRAINT "wallet_sessions_device_id_fkey" FOREIGN KEY (device_id) REFERENCES wallet_devices(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE "wallet_sessions" ADD CONSTRAINT "wallet_sessions_pin_order_id_mode_fkey" FOREIGN KEY (pin_order_id, mode) REFERENCES orders(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_currency_fkey" FOREIGN KEY (currency) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_wallet_user_id_mode_fkey" FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_corrects_mode_fkey" FOREIGN KEY (corrects, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "entries" ADD CONSTRAINT "entries_transfer_id_mode_fkey" FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "entries" ADD CONSTRAINT "entries_account_id_mode_currency_fkey" FOREIGN KEY (account_id, mode, currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "orders" ADD CONSTRAINT "orders_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "orders" ADD CONSTRAINT "orders_credential_id_merchant_id_mode_fkey" FOREIGN KEY (credential_id, merchant_id, mode) REFERENCES credentials(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "orders" ADD CONSTRAINT "orders_transfer_id_mode_fkey" FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "orders" ADD CONSTRAINT "orders_payer_account_id_mode_payer_currency_fkey" FOREIGN KEY (payer_account_id, mode, payer_currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "orders" ADD CONSTRAINT "orders_quote_id_mode_fkey" FOREIGN KEY (quote_id, mode) REFERENCES shopper_quotes(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "shopper_quotes" ADD CONSTRAINT "shopper_quotes_order_id_mode_fkey" FOREIGN KEY (order_id, mode) REFERENCES orders(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "shopper_quotes" ADD CONSTRAINT "shopper_quotes_wallet_user_id_mode_fkey" FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "shopper_quotes" ADD CONSTRAINT "shopper_quotes_account_id_mode_payer_currency_fkey" FOREIGN KEY (account_id, mode, payer_currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_mode_fkey" FOREIGN KEY (order_id, mode) REFERENCES orders(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_transfer_id_mode_fkey" FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_hold_transfer_id_mode_fkey" FOREIGN KEY (hold_transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_credential_id_merchant_id_mode_fkey" FOREIGN KEY (credential_id, merchant_id, mode) REFERENCES credentials(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "day_counts" ADD CONSTRAINT "day_counts_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "span_counts" ADD CONSTRAINT "span_counts_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_order_id_merchant_id_mode_fkey" FOREIGN KEY (order_id, merchant_id, mode) REFERENCES orders(id, merchant_id, mode) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_refund_id_merchant_id_mode_fkey" FOREIGN KEY (refund_id, merchant_id, mode) REFERENCES refunds(id, merchant_id, mode) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_payout_id_merchant_id_mode_fkey" FOREIGN KEY (payout_id, merchant_id, mode) REFERENCES payouts(id, merchant_id, mode) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "events" ADD CONSTRAINT "events_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "events" ADD CONSTRAINT "events_order_id_merchant_id_mode_fkey" FOREIGN KEY (order_id, merchant_id, mode) REFERENCES orders(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "events" ADD CONSTRAINT "events_refund_id_order_id_fkey" FOREIGN KEY (refund_id, order_id) REFERENCES refunds(id, order_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "events" ADD CONSTRAINT "events_payout_id_merchant_id_mode_fkey" FOREIGN KEY (payout_id, merchant_id, mode) REFERENCES payouts(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "receivers" ADD CONSTRAINT "receivers_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event_id_merchant_id_mode_fkey" FOREIGN KEY (event_id, merchant_id, mode) REFERENCES events(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_receiver_id_merchant_id_mode_fkey" FOREIGN KEY (receiver_id, merchant_id, mode) REFERENCES receivers(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_credential_id_merchant_id_mode_fkey" FOREIGN KEY (credential_id, merchant_id, mode) REFERENCES credentials(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_delivery_id_fkey" FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "timeline_entries" ADD CONSTRAINT "timeline_entries_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "timeline_entries" ADD CONSTRAINT "timeline_entries_receiver_id_merchant_id_mode_fkey" FOREIGN KEY (receiver_id, merchant_id, mode) REFERENCES receivers(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payout_terms" ADD CONSTRAINT "payout_terms_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payout_terms" ADD CONSTRAINT "payout_terms_currency_fkey" FOREIGN KEY (currency) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payout_usage" ADD CONSTRAINT "payout_usage_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "fee_schedules" ADD CONSTRAINT "fee_schedules_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE "fee_schedules" ADD CONSTRAINT "fee_schedules_currency_fkey" FOREIGN KEY (currency) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "exchange_rates" ADD CONSTRAINT "exchange_rates_base_fkey" FOREIGN KEY (base) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "exchange_rates" ADD CONSTRAINT "exchange_rates_quote_fkey" FOREIGN KEY (quote) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "lookup_tokens" ADD CONSTRAINT "lookup_tokens_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "lookup_tokens" ADD CONSTRAINT "lookup_tokens_wallet_user_id_mode_fkey" FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_wallet_user_id_mode_fkey" FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_wallet_user_id_mode_fkey" FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_recipient_account_id_mode_receiver_currency_fkey" FOREIGN KEY (recipient_account_id, mode, receiver_currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_quote_id_mode_fkey" FOREIGN KEY (quote_id, mode) REFERENCES quotes(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_transfer_id_mode_fkey" FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_hold_transfer_id_mode_fkey" FOREIGN KEY (hold_transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_administrator_id_fkey" FOREIGN KEY (administrator_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_credential_id_fkey" FOREIGN KEY (credential_id) REFERENCES credentials(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_account_id_mode_currency_fkey" FOREIGN KEY (account_id, mode, currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_currency_fkey" FOREIGN KEY (currency) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_requested_by_id_fkey" FOREIGN KEY (requested_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_decided_by_id_fkey" FOREIGN KEY (decided_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_transfer_id_mode_fkey" FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "expiry_failures" ADD CONSTRAINT "expiry_failures_order_id_fkey" FOREIGN KEY (order_id) REFERENCES orders(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "administrator_requests" ADD CONSTRAINT "administrator_requests_requested_by_id_fkey" FOREIGN KEY (requested_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "administrator_requests" ADD CONSTRAINT "administrator_requests_decided_by_id_fkey" FOREIGN KEY (decided_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "wallet_devices" ADD CONSTRAINT "wallet_devices_wallet_user_id_mode_fkey" FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "notices" ADD CONSTRAINT "notices_id_fkey" FOREIGN KEY (id) REFERENCES timeline_entries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "notices" ADD CONSTRAINT "notices_dismissed_by_id_fkey" FOREIGN KEY (dismissed_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_notice_id_fkey" FOREIGN KEY (notice_id) REFERENCES notices(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "console_totps" ADD CONSTRAINT "console_totps_user_id_fkey" FOREIGN KEY (user_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "console_recovery_codes" ADD CONSTRAINT "console_recovery_codes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "console_members" ADD CONSTRAINT "console_members_user_id_fkey" FOREIGN KEY (user_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "console_members" ADD CONSTRAINT "console_members_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "console_links" ADD CONSTRAINT "console_links_user_id_fkey" FOREIGN KEY (user_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "console_links" ADD CONSTRAINT "console_links_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "console_links" ADD CONSTRAINT "console_links_invited_by_id_fkey" FOREIGN KEY (invited_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "day_sums" ADD CONSTRAINT "day_sums_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "console_passkeys" ADD CONSTRAINT "console_passkeys_user_id_fkey" FOREIGN KEY (user_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "tills" ADD CONSTRAINT "tills_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "tills" ADD CONSTRAINT "tills_currency_fkey" FOREIGN KEY (currency) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "tills" ADD CONSTRAINT "tills_created_by_id_fkey" FOREIGN KEY (created_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payout_batches" ADD CONSTRAINT "payout_batches_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payout_batches" ADD CONSTRAINT "payout_batches_created_by_id_fkey" FOREIGN KEY (created_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payout_batches" ADD CONSTRAINT "payout_batches_confirmed_by_id_fkey" FOREIGN KEY (confirmed_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payout_batch_lines" ADD CONSTRAINT "payout_batch_lines_batch_id_merchant_id_mode_fkey" FOREIGN KEY (batch_id, merchant_id, mode) REFERENCES payout_batches(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "payout_batch_lines" ADD CONSTRAINT "payout_batch_lines_wallet_user_id_mode_fkey" FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payout_batch_lines" ADD CONSTRAINT "payout_batch_lines_payout_id_merchant_id_mode_fkey" FOREIGN KEY (payout_id, merchant_id, mode) REFERENCES payouts(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "ledger_proofs" ADD CONSTRAINT "ledger_proofs_requested_by_id_fkey" FOREIGN KEY (requested_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "mail_subscriptions" ADD CONSTRAINT "mail_subscriptions_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "digest_mails" ADD CONSTRAINT "digest_mails_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_currency_fkey" FOREIGN KEY (currency) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_created_by_id_fkey" FOREIGN KEY (created_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_link_orders" ADD CONSTRAINT "payment_link_orders_order_id_merchant_id_mode_fkey" FOREIGN KEY (order_id, merchant_id, mode) REFERENCES orders(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_link_orders" ADD CONSTRAINT "payment_link_orders_link_id_merchant_id_mode_fkey" FOREIGN KEY (link_id, merchant_id, mode) REFERENCES payment_links(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "console_views" ADD CONSTRAINT "console_views_user_id_fkey" FOREIGN KEY (user_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "console_views" ADD CONSTRAINT "console_views_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "shop_connections" ADD CONSTRAINT "shop_connections_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "shop_connections" ADD CONSTRAINT "shop_connections_created_by_id_fkey" FOREIGN KEY (created_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "conversions" ADD CONSTRAINT "conversions_wallet_user_id_mode_fkey" FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "conversions" ADD CONSTRAINT "conversions_from_currency_fkey" FOREIGN KEY (from_currency) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "conversions" ADD CONSTRAINT "conversions_to_currency_fkey" FOREIGN KEY (to_currency) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "conversions" ADD CONSTRAINT "conversions_transfer_id_mode_fkey" FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "embed_origins" ADD CONSTRAINT "embed_origins_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "wallet_passkeys" ADD CONSTRAINT "wallet_passkeys_wallet_user_id_mode_fkey" FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_challenges" ADD CONSTRAINT "payment_challenges_order_id_mode_fkey" FOREIGN KEY (order_id, mode) REFERENCES orders(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_challenges" ADD CONSTRAINT "payment_challenges_wallet_user_id_mode_fkey" FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_confirmations" ADD CONSTRAINT "payment_confirmations_order_id_mode_fkey" FOREIGN KEY (order_id, mode) REFERENCES orders(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_confirmations" ADD CONSTRAINT "payment_confirmations_passkey_id_mode_fkey" FOREIGN KEY (passkey_id, mode) REFERENCES wallet_passkeys(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "test_controls" ADD CONSTRAINT "test_controls_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "replays" ADD CONSTRAINT "replays_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "replays" ADD CONSTRAINT "replays_receiver_id_merchant_id_mode_fkey" FOREIGN KEY (receiver_id, merchant_id, mode) REFERENCES receivers(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "replays" ADD CONSTRAINT "replays_credential_id_merchant_id_mode_fkey" FOREIGN KEY (credential_id, merchant_id, mode) REFERENCES credentials(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "quarter_hour_sums" ADD CONSTRAINT "quarter_hour_sums_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;

-- Initial values: no event is pruned, and every turn is allowed.
INSERT INTO "event_retention" (id, pruned_before) VALUES (1, '2000-01-01T00:00:00+00:00');
INSERT INTO "event_floor" (id, turn) VALUES (1, 0);
