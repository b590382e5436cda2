-- A database of the state 20261123004000_unused_quotes, with money in it. Its functions answer nothing here: only that they were there counts.

CREATE TYPE mode AS ENUM ('sandbox', 'live');
CREATE TYPE account_kind AS ENUM ('merchant', 'shopper', 'hold', 'fees', 'fx', 'issuing', 'funding');
CREATE TYPE transfer_kind AS ENUM ('payment', 'refund', 'top_up', 'deposit', 'withdrawal', 'payout', 'hold', 'hold_return');
CREATE TYPE order_status AS ENUM ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED');
CREATE TYPE order_state AS ENUM ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUND_PENDING', 'REFUNDED');
CREATE TYPE payment_method AS ENUM ('qr_only', 'payment_page', 'both');
CREATE TYPE refund_status AS ENUM ('pending', 'completed', 'failed');
CREATE TYPE credential_kind AS ENUM ('client', 'api_token');
CREATE TYPE delivery_status AS ENUM ('pending', 'queued', 'held', 'delivered', 'failed');
CREATE TYPE console_role AS ENUM ('administrator', 'merchant');
CREATE TYPE counted_kind AS ENUM ('order', 'refund');
CREATE TYPE payout_status AS ENUM ('pending', 'completed', 'failed');
CREATE TYPE usage_period AS ENUM ('day', 'month');
CREATE TYPE approval_kind AS ENUM ('deposit', 'withdrawal', 'single_limit');
CREATE TYPE approval_status AS ENUM ('pending', 'approved', 'rejected');
CREATE TYPE transfer_line AS (account_id uuid, currency text, amount bigint);
CREATE TYPE pin_counter AS (key bytea, free integer, forget_seconds integer, lock_seconds integer[]);
CREATE SEQUENCE attempts_id_seq;
CREATE SEQUENCE audit_records_id_seq;
CREATE SEQUENCE entries_id_seq;
CREATE SEQUENCE events_number_seq;
CREATE SEQUENCE timeline_entries_id_seq;

CREATE TABLE _prisma_migrations (
  "id" character varying(36) NOT NULL,
  "checksum" character varying(64) NOT NULL,
  "finished_at" timestamp with time zone,
  "migration_name" character varying(255) NOT NULL,
  "logs" text,
  "rolled_back_at" timestamp with time zone,
  "started_at" timestamp with time zone NOT NULL DEFAULT now(),
  "applied_steps_count" integer NOT NULL DEFAULT 0,
  CONSTRAINT _prisma_migrations_pkey PRIMARY KEY (id)
);
CREATE TABLE merchants (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "suspended_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "partner_api_enabled" boolean NOT NULL DEFAULT false,
  "partner_requests_a_minute" integer,
  "pay_requests_a_minute" integer,
  "refunds_need_approval" boolean NOT NULL DEFAULT false,
  CONSTRAINT merchants_pkey PRIMARY KEY (id),
  CONSTRAINT merchants_rate_limits CHECK (((COALESCE(pay_requests_a_minute, 1) > 0) AND (COALESCE(partner_requests_a_minute, 1) > 0)))
);
CREATE TABLE credentials (
  "id" uuid NOT NULL,
  "merchant_id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "kind" credential_kind NOT NULL,
  "client_id" text,
  "secret_hash" bytea NOT NULL,
  "secret_ciphertext" bytea,
  "encryption_key_id" text,
  "created_at" timestamp with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "revoked_at" timestamp with time zone,
  "last_used_at" timestamp with time zone,
  "expires_at" timestamp with time zone,
  "replaces_id" uuid,
  CONSTRAINT credentials_pkey PRIMARY KEY (id),
  CONSTRAINT credentials_client_signs CHECK (((kind = 'client'::credential_kind) = ((client_id IS NOT NULL) AND (secret_ciphertext IS NOT NULL) AND (encryption_key_id IS NOT NULL))))
);
CREATE TABLE currencies (
  "code" character varying(10) NOT NULL,
  "digits" smallint NOT NULL,
  "name" text NOT NULL,
  "symbol" text NOT NULL,
  "active" boolean NOT NULL DEFAULT true,
  "type" text NOT NULL DEFAULT 'fiat'::text,
  "single_administrator_limit" bigint NOT NULL DEFAULT 0,
  CONSTRAINT currencies_pkey PRIMARY KEY (code),
  CONSTRAINT currencies_digits CHECK (((digits >= 0) AND (digits <= 4))),
  CONSTRAINT currencies_single_limit CHECK ((single_administrator_limit >= 0))
);
CREATE TABLE wallet_users (
  "id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "name" text NOT NULL,
  "phone" text,
  "email" text,
  "pin_hash" text,
  "active" boolean NOT NULL DEFAULT true,
  "test_of_merchant_id" uuid,
  "created_at" timestamp with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT wallet_users_pkey PRIMARY KEY (id),
  CONSTRAINT wallet_users_email_lower_case CHECK ((email = lower(email))),
  CONSTRAINT wallet_users_phone_e164 CHECK ((phone ~ '^\+[1-9][0-9]{4,14}$'::text)),
  CONSTRAINT wallet_users_reachable CHECK (((test_of_merchant_id IS NOT NULL) OR (phone IS NOT NULL) OR (email IS NOT NULL))),
  CONSTRAINT wallet_users_test_in_sandbox CHECK (((test_of_merchant_id IS NULL) OR (mode = 'sandbox'::mode)))
);
CREATE TABLE wallet_sessions (
  "id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "wallet_user_id" uuid NOT NULL,
  "token_hash" bytea NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" timestamp with time zone NOT NULL,
  "revoked_at" timestamp with time zone,
  "pin_entered_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "previous_token_hash" bytea,
  "previous_valid_until" timestamp with time zone,
  "rotated_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT wallet_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT wallet_sessions_previous_ends CHECK (((previous_token_hash IS NULL) = (previous_valid_until IS NULL)))
);
CREATE TABLE accounts (
  "id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "currency" character varying(10) NOT NULL,
  "kind" account_kind NOT NULL,
  "merchant_id" uuid,
  "wallet_user_id" uuid,
  "balance" bigint,
  "closed_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_balance_by_kind CHECK (((kind = ANY (ARRAY['merchant'::account_kind, 'shopper'::account_kind, 'hold'::account_kind])) = (balance IS NOT NULL))),
  CONSTRAINT accounts_closed_empty CHECK (((closed_at IS NULL) OR (balance = 0))),
  CONSTRAINT accounts_issuing_is_sandbox CHECK (((kind <> 'issuing'::account_kind) OR (mode = 'sandbox'::mode))),
  CONSTRAINT accounts_never_below_zero CHECK ((balance >= 0)),
  CONSTRAINT accounts_owner_by_kind CHECK (
CASE kind
    WHEN 'merchant'::account_kind THEN ((merchant_id IS NOT NULL) AND (wallet_user_id IS NULL))
    WHEN 'hold'::account_kind THEN ((merchant_id IS NOT NULL) AND (wallet_user_id IS NULL))
    WHEN 'shopper'::account_kind THEN ((merchant_id IS NULL) AND (wallet_user_id IS NOT NULL))
    ELSE ((merchant_id IS NULL) AND (wallet_user_id IS NULL))
END)
);
CREATE TABLE transfers (
  "id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "kind" transfer_kind NOT NULL,
  "corrects" uuid,
  "external_reference" text,
  "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT transfers_pkey PRIMARY KEY (id),
  CONSTRAINT transfers_correct_another CHECK ((corrects <> id))
);
CREATE TABLE entries (
  "id" bigint NOT NULL DEFAULT nextval('entries_id_seq'::regclass),
  "transfer_id" uuid NOT NULL,
  "account_id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "currency" character varying(10) NOT NULL,
  "amount" bigint NOT NULL,
  CONSTRAINT entries_pkey PRIMARY KEY (id),
  CONSTRAINT entries_move_something CHECK ((amount <> 0))
);
CREATE TABLE orders (
  "id" text NOT NULL,
  "mode" mode NOT NULL,
  "merchant_id" uuid NOT NULL,
  "credential_id" uuid NOT NULL,
  "token" text NOT NULL,
  "amount" bigint NOT NULL,
  "currency" character varying(10) NOT NULL,
  "payment_method" payment_method NOT NULL,
  "status" order_status NOT NULL DEFAULT 'PENDING'::order_status,
  "state" order_state NOT NULL DEFAULT 'PENDING'::order_state,
  "reference" text,
  "description" text,
  "terminal_id" text,
  "order_number" text,
  "custom" text,
  "callback_url" text,
  "return_url" text,
  "cancel_url" text,
  "expires_at" timestamp with time zone NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "paid_at" timestamp with time zone,
  "trx_id" text,
  "transfer_id" uuid,
  "payer_account_id" uuid,
  "refunded" bigint NOT NULL DEFAULT 0,
  "refund_pending" bigint NOT NULL DEFAULT 0,
  "version" integer NOT NULL DEFAULT 1,
  "payer_amount" bigint,
  "payer_currency" character varying(10),
  "quote_id" uuid,
  CONSTRAINT orders_pkey PRIMARY KEY (id),
  CONSTRAINT orders_amount CHECK (((amount >= 1) AND (amount <= '10000000000000'::bigint))),
  CONSTRAINT orders_converted_by_quote CHECK (((status <> 'PAID'::order_status) OR ((payer_amount > 0) AND (((payer_currency)::text <> (currency)::text) = (quote_id IS NOT NULL)) AND (((payer_currency)::text <> (currency)::text) OR (payer_amount = amount))))),
  CONSTRAINT orders_paid_completely CHECK (((status = 'PAID'::order_status) = ((paid_at IS NOT NULL) AND (trx_id IS NOT NULL) AND (transfer_id IS NOT NULL) AND (payer_account_id IS NOT NULL) AND (payer_currency IS NOT NULL) AND (payer_amount IS NOT NULL)))),
  CONSTRAINT orders_refunds_within_payment CHECK (((refunded >= 0) AND (refund_pending >= 0) AND ((refunded + refund_pending) <= amount))),
  CONSTRAINT orders_state_is_derived CHECK ((state =
CASE
    WHEN (status <> 'PAID'::order_status) THEN ((status)::text)::order_state
    WHEN (refunded = amount) THEN 'REFUNDED'::order_state
    WHEN (refund_pending > 0) THEN 'REFUND_PENDING'::order_state
    ELSE 'PAID'::order_state
END)),
  CONSTRAINT orders_unpaid_without_payment CHECK (((status = 'PAID'::order_status) OR ((paid_at IS NULL) AND (trx_id IS NULL) AND (transfer_id IS NULL) AND (payer_account_id IS NULL) AND (payer_currency IS NULL) AND (payer_amount IS NULL) AND (quote_id IS NULL) AND (refunded = 0) AND (refund_pending = 0)))),
  CONSTRAINT orders_version CHECK ((version >= 1))
);
CREATE TABLE refunds (
  "id" text NOT NULL,
  "mode" mode NOT NULL,
  "merchant_id" uuid NOT NULL,
  "order_id" text NOT NULL,
  "amount" bigint NOT NULL,
  "currency" character varying(10) NOT NULL,
  "status" refund_status NOT NULL,
  "reason" text,
  "reference" text,
  "transfer_id" uuid,
  "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "settled_at" timestamp with time zone,
  "hold_transfer_id" uuid,
  "payer_amount" bigint,
  CONSTRAINT refunds_pkey PRIMARY KEY (id),
  CONSTRAINT refunds_amount CHECK ((amount > 0)),
  CONSTRAINT refunds_completed_gave_back CHECK ((((status = 'completed'::refund_status) = (payer_amount IS NOT NULL)) AND (payer_amount >= 0))),
  CONSTRAINT refunds_completed_moved_money CHECK (((status <> 'completed'::refund_status) OR (transfer_id IS NOT NULL))),
  CONSTRAINT refunds_failed_returned_hold CHECK (((status <> 'failed'::refund_status) OR ((hold_transfer_id IS NOT NULL) AND (transfer_id IS NOT NULL)))),
  CONSTRAINT refunds_pending_is_held CHECK (((status <> 'pending'::refund_status) OR ((hold_transfer_id IS NOT NULL) AND (transfer_id IS NULL)))),
  CONSTRAINT refunds_settled CHECK (((status = 'pending'::refund_status) = (settled_at IS NULL)))
);
CREATE TABLE day_counts (
  "merchant_id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "kind" counted_kind NOT NULL,
  "day" date NOT NULL,
  "status" text NOT NULL,
  "slot" smallint NOT NULL,
  "count" integer NOT NULL,
  CONSTRAINT day_counts_pkey PRIMARY KEY (merchant_id, mode, kind, day, status, slot)
);
CREATE TABLE idempotency_keys (
  "merchant_id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "operation" text NOT NULL,
  "key" text NOT NULL,
  "request_hash" bytea NOT NULL,
  "resource_id" text NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (merchant_id, mode, operation, key)
);
CREATE TABLE events (
  "id" text NOT NULL,
  "mode" mode NOT NULL,
  "merchant_id" uuid NOT NULL,
  "name" text NOT NULL,
  "order_id" text,
  "body" text NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "turn" bigint NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
  "number" bigint NOT NULL DEFAULT nextval('events_number_seq'::regclass),
  CONSTRAINT events_pkey PRIMARY KEY (id)
);
CREATE TABLE receivers (
  "id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "merchant_id" uuid NOT NULL,
  "address" text NOT NULL,
  "events" text[],
  "secret_ciphertext" bytea NOT NULL,
  "encryption_key_id" text NOT NULL,
  "disabled_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "deliveries_lag" boolean NOT NULL DEFAULT false,
  "disabled_reason" text,
  "failing_since" timestamp with time zone,
  "failures_in_row" integer NOT NULL DEFAULT 0,
  "last_failure_at" timestamp with time zone,
  "last_failure_kind" text,
  "last_failure_status" integer,
  "last_success_at" timestamp with time zone,
  "paused_at" timestamp with time zone,
  "previous_encryption_key_id" text,
  "previous_secret_ciphertext" bytea,
  "previous_secret_expires_at" timestamp with time zone,
  "removed_at" timestamp with time zone,
  "warned_at" timestamp with time zone,
  CONSTRAINT receivers_pkey PRIMARY KEY (id),
  CONSTRAINT receivers_disabled_for_a_reason CHECK ((((disabled_at IS NULL) = (disabled_reason IS NULL)) AND (disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text, 'administrator'::text])))),
  CONSTRAINT receivers_previous_secret CHECK ((((previous_secret_ciphertext IS NULL) = (previous_encryption_key_id IS NULL)) AND ((previous_secret_ciphertext IS NULL) = (previous_secret_expires_at IS NULL)))),
  CONSTRAINT receivers_streak CHECK (((failures_in_row >= 0) AND ((failures_in_row = 0) = (failing_since IS NULL)) AND ((warned_at IS NULL) OR (failures_in_row > 0))))
);
CREATE TABLE deliveries (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "mode" mode NOT NULL,
  "event_id" text NOT NULL,
  "receiver_id" uuid,
  "credential_id" uuid,
  "address" text NOT NULL,
  "status" delivery_status NOT NULL DEFAULT 'pending'::delivery_status,
  "attempt_count" integer NOT NULL DEFAULT 0,
  "next_attempt_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "settled_at" timestamp with time zone,
  "attempts_before" integer NOT NULL DEFAULT 0,
  "given_up_because" text,
  CONSTRAINT deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT deliveries_attempts CHECK (((attempts_before >= 0) AND (attempts_before <= attempt_count))),
  CONSTRAINT deliveries_given_up CHECK (((given_up_because IS NULL) OR ((status = 'failed'::delivery_status) AND (given_up_because = ANY (ARRAY['attempts_over'::text, 'gone'::text, 'receiver_disabled'::text, 'receiver_removed'::text]))))),
  CONSTRAINT deliveries_one_signer CHECK (((receiver_id IS NULL) <> (credential_id IS NULL))),
  CONSTRAINT deliveries_settled CHECK (((status = ANY (ARRAY['delivered'::delivery_status, 'failed'::delivery_status])) = (settled_at IS NOT NULL)))
);
CREATE TABLE attempts (
  "id" bigint NOT NULL DEFAULT nextval('attempts_id_seq'::regclass),
  "delivery_id" uuid NOT NULL,
  "number" integer NOT NULL,
  "started_at" timestamp with time zone NOT NULL,
  "latency_ms" integer NOT NULL,
  "http_status" integer,
  "error_kind" text,
  "answer_start" text,
  "request_headers" jsonb NOT NULL,
  CONSTRAINT attempts_pkey PRIMARY KEY (id)
);
CREATE TABLE console_users (
  "id" uuid NOT NULL,
  "email" text NOT NULL,
  "role" console_role NOT NULL,
  "merchant_id" uuid,
  "password_hash" text NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT console_users_pkey PRIMARY KEY (id),
  CONSTRAINT console_users_email_lower_case CHECK ((email = lower(email))),
  CONSTRAINT console_users_merchant_by_role CHECK (((role = 'merchant'::console_role) = (merchant_id IS NOT NULL)))
);
CREATE UNLOGGED TABLE rate_limits (
  "key" character varying(255) NOT NULL,
  "points" integer NOT NULL DEFAULT 0,
  "expire" bigint,
  CONSTRAINT rate_limits_pkey PRIMARY KEY (key)
);
CREATE TABLE payout_terms (
  "merchant_id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "currency" character varying(10) NOT NULL,
  "authorized" boolean NOT NULL DEFAULT false,
  "per_transaction" bigint,
  "daily" bigint,
  "monthly" bigint,
  "review_above" bigint,
  CONSTRAINT payout_terms_pkey PRIMARY KEY (merchant_id, mode, currency),
  CONSTRAINT payout_terms_limits CHECK (((COALESCE(per_transaction, (0)::bigint) >= 0) AND (COALESCE(daily, (0)::bigint) >= 0) AND (COALESCE(monthly, (0)::bigint) >= 0) AND (COALESCE(review_above, (0)::bigint) >= 0)))
);
CREATE TABLE payout_usage (
  "merchant_id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "currency" character varying(10) NOT NULL,
  "period" usage_period NOT NULL,
  "starts_on" date NOT NULL,
  "amount" bigint NOT NULL DEFAULT 0,
  CONSTRAINT payout_usage_pkey PRIMARY KEY (merchant_id, mode, currency, period, starts_on),
  CONSTRAINT payout_usage_not_negative CHECK ((amount >= 0))
);
CREATE TABLE fee_schedules (
  "id" uuid NOT NULL,
  "merchant_id" uuid,
  "mode" mode NOT NULL,
  "currency" character varying(10) NOT NULL,
  "fixed" bigint NOT NULL,
  "percent" numeric(9,6) NOT NULL,
  CONSTRAINT fee_schedules_pkey PRIMARY KEY (id),
  CONSTRAINT fee_schedules_amounts CHECK (((fixed >= 0) AND ((percent >= (0)::numeric) AND (percent <= (100)::numeric))))
);
CREATE TABLE exchange_rates (
  "id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "base" character varying(10) NOT NULL,
  "quote" character varying(10) NOT NULL,
  "rate" numeric(40,20) NOT NULL,
  "spread_percent" numeric(9,6) NOT NULL DEFAULT 0,
  "effective_from" timestamp with time zone NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT exchange_rates_pkey PRIMARY KEY (id),
  CONSTRAINT exchange_rates_positive CHECK (((rate > (0)::numeric) AND (spread_percent >= (0)::numeric) AND (spread_percent < (100)::numeric))),
  CONSTRAINT exchange_rates_two_currencies CHECK (((base)::text <> (quote)::text))
);
CREATE TABLE lookup_tokens (
  "id" uuid NOT NULL,
  "merchant_id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "wallet_user_id" uuid NOT NULL,
  "expires_at" timestamp with time zone NOT NULL DEFAULT (clock_timestamp() + '00:10:00'::interval),
  CONSTRAINT lookup_tokens_pkey PRIMARY KEY (id)
);
CREATE TABLE quotes (
  "id" uuid NOT NULL,
  "merchant_id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "wallet_user_id" uuid NOT NULL,
  "amount" bigint NOT NULL,
  "sender_currency" character varying(10) NOT NULL,
  "fee" bigint NOT NULL,
  "rate" numeric(40,20) NOT NULL,
  "receiver_amount" bigint NOT NULL,
  "receiver_currency" character varying(10) NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "expires_at" timestamp with time zone NOT NULL DEFAULT (clock_timestamp() + '00:05:00'::interval),
  "used_at" timestamp with time zone,
  CONSTRAINT quotes_pkey PRIMARY KEY (id),
  CONSTRAINT quotes_amounts CHECK (((amount > 0) AND (fee >= 0) AND (receiver_amount > 0) AND (rate > (0)::numeric)))
);
CREATE TABLE payouts (
  "id" text NOT NULL,
  "mode" mode NOT NULL,
  "merchant_id" uuid NOT NULL,
  "reference" text NOT NULL,
  "quote_id" uuid,
  "wallet_user_id" uuid NOT NULL,
  "recipient_account_id" uuid NOT NULL,
  "amount" bigint NOT NULL,
  "sender_currency" character varying(10) NOT NULL,
  "fee" bigint NOT NULL,
  "rate" numeric(40,20) NOT NULL,
  "receiver_amount" bigint NOT NULL,
  "receiver_currency" character varying(10) NOT NULL,
  "status" payout_status NOT NULL,
  "description" text,
  "trx_id" text,
  "transfer_id" uuid,
  "hold_transfer_id" uuid,
  "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "processed_at" timestamp with time zone,
  CONSTRAINT payouts_pkey PRIMARY KEY (id),
  CONSTRAINT payouts_amounts CHECK (((amount > 0) AND (fee >= 0) AND (receiver_amount > 0) AND (rate > (0)::numeric))),
  CONSTRAINT payouts_completed_is_numbered CHECK (((status = 'completed'::payout_status) = (trx_id IS NOT NULL))),
  CONSTRAINT payouts_failed_was_held CHECK (((status <> 'failed'::payout_status) OR (hold_transfer_id IS NOT NULL))),
  CONSTRAINT payouts_pending_is_held CHECK (((status <> 'pending'::payout_status) OR ((hold_transfer_id IS NOT NULL) AND (transfer_id IS NULL)))),
  CONSTRAINT payouts_processed CHECK (((status = 'pending'::payout_status) = (processed_at IS NULL))),
  CONSTRAINT payouts_same_currency CHECK ((((sender_currency)::text <> (receiver_currency)::text) OR ((rate = (1)::numeric) AND (receiver_amount = amount)))),
  CONSTRAINT payouts_settled_moved_money CHECK (((status = 'pending'::payout_status) OR (transfer_id IS NOT NULL)))
);
CREATE TABLE audit_records (
  "id" bigint NOT NULL DEFAULT nextval('audit_records_id_seq'::regclass),
  "merchant_id" uuid,
  "number" integer NOT NULL,
  "administrator_id" uuid NOT NULL,
  "administrator" text NOT NULL,
  "action" text NOT NULL,
  "subject" text NOT NULL,
  "details" text NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "previous_hash" bytea NOT NULL,
  "hash" bytea NOT NULL,
  CONSTRAINT audit_records_pkey PRIMARY KEY (id)
);
CREATE TABLE approval_requests (
  "id" uuid NOT NULL,
  "kind" approval_kind NOT NULL,
  "mode" mode NOT NULL,
  "account_id" uuid,
  "currency" character varying(10) NOT NULL,
  "amount" bigint NOT NULL,
  "external_reference" text,
  "status" approval_status NOT NULL DEFAULT 'pending'::approval_status,
  "requested_by_id" uuid NOT NULL,
  "requested_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "decided_by_id" uuid,
  "decided_at" timestamp with time zone,
  "transfer_id" uuid,
  CONSTRAINT approval_requests_pkey PRIMARY KEY (id),
  CONSTRAINT approval_requests_decided CHECK ((((status = 'pending'::approval_status) = (decided_by_id IS NULL)) AND ((status = 'pending'::approval_status) = (decided_at IS NULL)))),
  CONSTRAINT approval_requests_kind CHECK (
CASE kind
    WHEN 'single_limit'::approval_kind THEN ((account_id IS NULL) AND (external_reference IS NULL) AND (transfer_id IS NULL) AND (amount >= 0))
    ELSE ((account_id IS NOT NULL) AND (external_reference IS NOT NULL) AND (amount > 0))
END),
  CONSTRAINT approval_requests_moved_money CHECK (((transfer_id IS NOT NULL) = ((status = 'approved'::approval_status) AND (kind <> 'single_limit'::approval_kind)))),
  CONSTRAINT approval_requests_two_administrators CHECK (((status <> 'approved'::approval_status) OR (decided_by_id <> requested_by_id)))
);
CREATE TABLE span_counts (
  "merchant_id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "kind" counted_kind NOT NULL,
  "starts_at" timestamp with time zone NOT NULL,
  "status" text NOT NULL,
  "slot" smallint NOT NULL,
  "count" integer NOT NULL,
  CONSTRAINT span_counts_pkey PRIMARY KEY (merchant_id, mode, kind, starts_at, status, slot)
);
CREATE TABLE timeline_entries (
  "id" bigint NOT NULL DEFAULT nextval('timeline_entries_id_seq'::regclass),
  "merchant_id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "kind" text NOT NULL,
  "receiver_id" uuid,
  "details" jsonb NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT timeline_entries_pkey PRIMARY KEY (id)
);
CREATE TABLE delivery_hosts (
  "host" text NOT NULL,
  "prompt" boolean NOT NULL,
  "changed_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT delivery_hosts_pkey PRIMARY KEY (host)
);
CREATE TABLE event_retention (
  "id" integer NOT NULL DEFAULT 1,
  "pruned_before" timestamp with time zone NOT NULL,
  CONSTRAINT event_retention_pkey PRIMARY KEY (id)
);
CREATE TABLE shopper_quotes (
  "id" uuid NOT NULL,
  "mode" mode NOT NULL,
  "order_id" text NOT NULL,
  "wallet_user_id" uuid NOT NULL,
  "account_id" uuid NOT NULL,
  "payer_currency" character varying(10) NOT NULL,
  "payer_amount" bigint NOT NULL,
  "rate" numeric(40,20) NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "expires_at" timestamp with time zone NOT NULL,
  "used_at" timestamp with time zone,
  CONSTRAINT shopper_quotes_pkey PRIMARY KEY (id),
  CONSTRAINT shopper_quotes_amounts CHECK ((((payer_amount >= 1) AND (payer_amount <= '10000000000000'::bigint)) AND (rate > (0)::numeric)))
);
CREATE TABLE pin_failures (
  "key" bytea NOT NULL,
  "failures" integer NOT NULL,
  "counted_at" timestamp with time zone NOT NULL,
  "locked_until" timestamp with time zone NOT NULL,
  "stale_at" timestamp with time zone NOT NULL,
  CONSTRAINT pin_failures_pkey PRIMARY KEY (key),
  CONSTRAINT pin_failures_not_negative CHECK ((failures >= 0))
);
CREATE TABLE merchant_branding (
  "merchant_id" uuid NOT NULL,
  "name" text,
  "accent" text,
  "logo_id" text,
  "logo_type" text,
  "logo_width" integer,
  "logo_height" integer,
  "logo" bytea,
  CONSTRAINT merchant_branding_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT merchant_branding_accent CHECK ((accent ~ '^#[0-9a-f]{6}$'::text)),
  CONSTRAINT merchant_branding_logo CHECK (((logo IS NULL) OR ((logo_id = encode(sha256(logo), 'hex'::text)) AND ((octet_length(logo) >= 1) AND (octet_length(logo) <= 131072)) AND (logo_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text]))))),
  CONSTRAINT merchant_branding_logo_whole CHECK ((num_nonnulls(logo_id, logo_type, logo_width, logo_height, logo) = ANY (ARRAY[0, 5])))
);

ALTER SEQUENCE entries_id_seq OWNED BY entries.id;
ALTER SEQUENCE attempts_id_seq OWNED BY attempts.id;
ALTER SEQUENCE audit_records_id_seq OWNED BY audit_records.id;
ALTER SEQUENCE timeline_entries_id_seq OWNED BY timeline_entries.id;
ALTER SEQUENCE events_number_seq OWNED BY events.number;

INSERT INTO _prisma_migrations ("id", "checksum", "finished_at", "migration_name", "logs", "rolled_back_at", "started_at", "applied_steps_count") VALUES
  ('0aaad75a-079d-4cbb-bc22-4de3c036139d', 'e5625c73bcfde17fbac6bfa9a876cf11a06c8569f3c938c8710841616c60d159', '2026-11-22 10:14:52.541847+00', '20261123003100_audit_of_endpoints', NULL, NULL, '2026-11-22 10:14:52.53065+00', '1'),
  ('0ae1cceb-5ff5-4e50-9a09-bcf03a74877d', '275561de499fbd2b8531488a25855c05358974670e4d89478eb40f0909020cb5', '2026-11-22 10:14:51.950777+00', '20261122000100_payout_rules', NULL, NULL, '2026-11-22 10:14:51.886269+00', '1'),
  ('0c7df9fb-8be4-4403-a2af-13766f2d3fb4', '8bb6a9ad0697d85bcf3e34010f0e44e8c21ca24b2d72a41f86111496ab0d4cda', '2026-11-22 10:14:52.25265+00', '20261123000100_suspended_merchants', NULL, NULL, '2026-11-22 10:14:52.249579+00', '1'),
  ('1094844c-9ebc-468c-937c-6cdf94ebd800', '773433c3868b97cfa5dbbdd334aef084b441785f115b0413f59fdc4403ab7ecf', '2026-11-22 10:14:52.427328+00', '20261123002300_converted_changes_are_reported', NULL, NULL, '2026-11-22 10:14:52.420018+00', '1'),
  ('147e61ca-97ba-4a97-b70b-cb526cf418d5', '8904079eb535199d5524bd6e4650cb1537a694c7c5dc232e0bf886b270702005', '2026-11-22 10:14:52.48068+00', '20261123002600_merchant_branding', NULL, NULL, '2026-11-22 10:14:52.460507+00', '1'),
  ('1fed0523-17a0-40e5-834c-e9fb9afcae40', '16b76b39823e65df895d982da347f1cac5faef0e5c6b0531c51bd99c1f5be057', '2026-11-22 10:14:52.408755+00', '20261123002000_converted_payment_tables', NULL, NULL, '2026-11-22 10:14:52.370366+00', '1'),
  ('22724f91-2ab9-477d-ae49-bff1503efe03', 'ce6c36d79b29f2bf9f27e673b5c8510ae0de2701590225ca6b5bede87f351f06', '2026-11-22 10:14:52.527933+00', '20261123003000_event_order', NULL, NULL, '2026-11-22 10:14:52.485781+00', '1'),
  ('229f9b07-5956-404f-8182-466a4ad1792e', '0a0c7490617f094e3481dd00fa332995a7598b8e537532115cb27d9f23faf003', '2026-11-22 10:14:51.585046+00', '20261121000400_day_counts', NULL, NULL, '2026-11-22 10:14:51.581116+00', '1'),
  ('27569400-58f7-492f-b7d0-1478cb6777df', 'b4135436c278d30907aab15e764b2e9fd340e9eef60287b1df9a43bcd24c80f6', '2026-11-22 10:14:51.699348+00', '20261121001300_refund_payment', NULL, NULL, '2026-11-22 10:14:51.693722+00', '1'),
  ('2c9c7cf4-020d-40e3-9858-2c31d1bdc290', '16f033c3032f157dfe372005f593646bae24b4ac20bf24a1e1a37a4b2884d5bb', '2026-11-22 10:14:51.604715+00', '20261121000500_events', NULL, NULL, '2026-11-22 10:14:51.593666+00', '1'),
  ('2dbd4e38-7d7f-4500-ac9f-65e0a98bfad8', 'a3430636721b11239a485d88f5523e53d8e7c58b9d07aefa2fe0c42da5f021ad', '2026-11-22 10:14:52.419381+00', '20261123002200_refunds_of_what_was_paid', NULL, NULL, '2026-11-22 10:14:52.414174+00', '1'),
  ('302d4827-828e-47b5-b858-3eb1bb0131b3', 'd25bf004eedb23114c6fc5f57bfbf3482afb30ef7747d661cdf4edcd07d1c08e', '2026-11-22 10:14:52.180674+00', '20261122000910_approval_requests', NULL, NULL, '2026-11-22 10:14:52.101597+00', '1'),
  ('3893bf86-ec09-4d65-bc93-e46c08c729dc', '8ac05e321cdb949adf6cc81cfc3135f8b9e42a3632446471ccb9ce3f243f4726', '2026-11-22 10:14:51.632601+00', '20261121000800_lock_payable_order', NULL, NULL, '2026-11-22 10:14:51.629389+00', '1'),
  ('3eeb6537-b23e-41e9-a9ee-d19792772938', '8af9618e327cf637ab47374f8fac18483e5e87f803c3eca4daa4a42409e679c0', '2026-11-22 10:14:52.266172+00', '20261123001000_held_deliveries', NULL, NULL, '2026-11-22 10:14:52.265166+00', '1'),
  ('4284dce8-028d-4225-9ca8-ed310f23a025', '0fa8cd8d57482740caee7c7fb026f6816f1bfb694ed376f6986635cd696c315e', '2026-11-22 10:14:51.520802+00', '20261121000100_account_rules', NULL, NULL, '2026-11-22 10:14:51.486481+00', '1'),
  ('561c4b2a-4b40-47fd-a12d-da368e912bb7', 'a9a2a45547a77dd580330d0ee7b21dfb1f94c038557052e4a9b0c63c8ac2d0fe', '2026-11-22 10:14:51.672097+00', '20261121001100_cancel_order', NULL, NULL, '2026-11-22 10:14:51.659141+00', '1'),
  ('5bb5c643-9a82-4563-807c-816b9637a611', '46e2445440b417a1c4ba02f5a4ae190b8051a3f1b8323ef18797a4901b31d573', '2026-11-22 10:14:51.996765+00', '20261122000400_execute_payout', NULL, NULL, '2026-11-22 10:14:51.984957+00', '1'),
  ('5d1cfae0-9489-43e4-becf-872387a1afcf', 'c1324aa6023ce443dcaf7ed604a4bba7ffd1f119efb5d2f08bb385ba822ff028', '2026-11-22 10:14:51.972573+00', '20261122000200_book_transfer', NULL, NULL, '2026-11-22 10:14:51.96173+00', '1'),
  ('5e8621d4-0d34-4007-9fb0-19c8bd95363b', '592f0b35db450a8fb5ba343b78a5d97d41dfd4b3850a0fe172b2aca1b8c1ebca', '2026-11-22 10:14:51.735424+00', '20261121001400_rate_limits', NULL, NULL, '2026-11-22 10:14:51.725144+00', '1'),
  ('697c37d2-ee0e-4a33-aa82-cc8795debe77', '337fcee0edb403b95cfec2d4c20fb7ceb0f5840afa1baa41a6826cd485aa5b52', '2026-11-22 10:14:52.336248+00', '20261123001100_receiver_health', NULL, NULL, '2026-11-22 10:14:52.276661+00', '1'),
  ('70f9c163-c939-410a-8542-2934a6a0dbb4', 'd8e53f704304afedb0b3339adcbd44190d4baa00b3f432838c1f1ea571e71c30', '2026-11-22 10:14:52.549569+00', '20261123004000_unused_quotes', NULL, NULL, '2026-11-22 10:14:52.542617+00', '1'),
  ('78d58b8f-bf1a-4883-9c15-0bb099c8a187', '49d99c184e11f210cd459709f04f9b4cb96aded7ac3e7c905a6335ecfdb970ca', '2026-11-22 10:14:52.244718+00', '20261123000000_list_pages', NULL, NULL, '2026-11-22 10:14:52.200972+00', '1'),
  ('78ff75b8-6fee-4853-a097-743794364ba4', '43167659e6f5da312dea2652e44a0c2bfbf82e3bfe42b3eb9fc09a7a781960bb', '2026-11-22 10:14:51.626521+00', '20261121000700_create_order', NULL, NULL, '2026-11-22 10:14:51.625148+00', '1'),
  ('855cf02e-c789-4675-b380-8a94c112c91c', 'ec79c448267de97d725c0088dfe395ad1ad5cb6ab8f4881143a98e65038dff21', '2026-11-22 10:14:52.052746+00', '20261122000800_credential_rotation', NULL, NULL, '2026-11-22 10:14:52.037226+00', '1'),
  ('8729b2fe-922a-493b-9496-8cd3be77c197', '12753edea2d541e77c2bdc3914deb97624aa536b8a4c0db3a113fdaaa37200c7', '2026-11-22 10:14:51.576889+00', '20261121000300_order_rules', NULL, NULL, '2026-11-22 10:14:51.537811+00', '1'),
  ('8d9e7e17-2f60-4c93-8416-bfb7e0364d17', '52418bccae6de23d63879552da087834d38f83ce7d10b2914b111a569eb61f26', '2026-11-22 10:14:52.196743+00', '20261122000920_decide_with_audit', NULL, NULL, '2026-11-22 10:14:52.187602+00', '1'),
  ('93ab76be-3ef9-4ac1-ad1c-1da231df3bbc', '5e5aa368061538d4505c1e6dcdcbbbad58008b248751c1a495d358ddeff60ba5', '2026-11-22 10:14:51.616876+00', '20261121000600_claim_idempotency_key', NULL, NULL, '2026-11-22 10:14:51.6133+00', '1'),
  ('9670935f-a594-4875-a43f-c9e17e1a83c1', 'a7af257a2837f7926757cedd1ec57fdd35b30bc5f6b1e8f1575a8d7eb09fe5ec', '2026-11-22 10:14:51.656589+00', '20261121001000_pay_order', NULL, NULL, '2026-11-22 10:14:51.653289+00', '1'),
  ('9761d4aa-e32d-4622-8b45-c72f911b61cb', 'c91d228ddd21af13fbaa0f4dd7bb739dab6e11f034f4ee51dda4859e4ad5b88f', '2026-11-22 10:14:51.716638+00', '20261121001400_changes_are_reported', NULL, NULL, '2026-11-22 10:14:51.711694+00', '1'),
  ('97a2339e-aa67-42b9-a7ab-c24d58c34585', '6dc813608d0831e450c2930dcc51c4936bc99896b97f71ca2b1d8746e81ad533', '2026-11-22 10:14:52.444995+00', '20261123002400_wallet_session_pins', NULL, NULL, '2026-11-22 10:14:52.428494+00', '1'),
  ('9a1541f8-0d14-44cd-9d5f-e3931a5f33fa', '88e42c580c77591c9ad841e78d1a9b7302162f0ebee525cc8fbf6696aa540e9f', '2026-11-22 10:14:51.884648+00', '20261122000000_payout_tables', NULL, NULL, '2026-11-22 10:14:51.74145+00', '1'),
  ('9ee3c70e-dba3-44a8-bb47-55b095133209', '8e6e4983756676bb9368567371818d44742352cee0f5e857b03bbaea0612b5ac', '2026-11-22 10:14:51.980092+00', '20261122000300_payout_events', NULL, NULL, '2026-11-22 10:14:51.978227+00', '1'),
  ('aa81fe58-5ca6-45d3-9f6f-27252c928329', 'b38c49b2737ec3292bf3c04950852fc6653f89737a58e3d2bac1244d88c86cc7', '2026-11-22 10:14:52.02885+00', '20261122000700_create_order_by_operation', NULL, NULL, '2026-11-22 10:14:52.026546+00', '1'),
  ('ab147ede-ffee-472a-8915-a3c417b1edb8', 'fc82c834905f873edeef4a3a9bc270de4084836c32543c8a08dcdd23e2e4efd2', '2026-11-22 10:14:51.686553+00', '20261121001200_expire_orders', NULL, NULL, '2026-11-22 10:14:51.677355+00', '1'),
  ('aeeb871e-ffb0-423b-a02d-16f9c0a50051', '8a1467fc9608b3fe9ebb18985e856d2b1db9dc513abf9992d44d7dfc8f7cfffb', '2026-11-22 10:14:52.338726+00', '20261123001200_settle_attempt', NULL, NULL, '2026-11-22 10:14:52.33732+00', '1'),
  ('b7e0f4db-860a-409b-b792-983b6b83dfb3', 'af42c95e1c06c487e127f261976c20ead67f98bf2881a7488f7a68d293a81adb', '2026-11-22 10:14:52.096758+00', '20261122000900_audit_records', NULL, NULL, '2026-11-22 10:14:52.061234+00', '1'),
  ('bb59116d-dbef-4b84-8fbf-866baa4ca278', '116f637c8f4cfe2e818b906f4b2b78f093a0eaf5a2bdbf3cc5c8edbf98ac1010', '2026-11-22 10:14:52.351461+00', '20261123001300_delivery_hosts', NULL, NULL, '2026-11-22 10:14:52.340961+00', '1'),
  ('cbe07551-eff0-4c86-b7c4-ac4ab8edba82', '24cc76def9d02341982f4c40eba24f6ea2f81062392dae26d1166218f100d0ed', '2026-11-22 10:14:51.999015+00', '20261122000500_settle_payout', NULL, NULL, '2026-11-22 10:14:51.997984+00', '1'),
  ('ce86ce3f-176a-4c99-8702-b7d2d73c9b84', 'edf0cc370c4797ca493805463345a76853141cbf7538902f27045bd4f1b8abc9', '2026-11-22 10:14:52.413508+00', '20261123002100_converted_payments', NULL, NULL, '2026-11-22 10:14:52.411443+00', '1'),
  ('d42b4a25-fe39-4e84-8210-273a6bd74a71', '3c87bf12c71ec2c88ae000004150b0f2ed6738e9cb1977f690bb14dad3957830', '2026-11-22 10:14:52.005732+00', '20261122000600_refund_with_approval', NULL, NULL, '2026-11-22 10:14:52.000203+00', '1'),
  ('db7155d6-9506-4c15-968c-7b5f2c2579e2', '76ea19693a466fab2f3d14d526d83d39d58469d8320a244e1d20abb5571bca5c', '2026-11-22 10:14:51.527574+00', '20261121000200_entry_rules', NULL, NULL, '2026-11-22 10:14:51.522266+00', '1'),
  ('ecda3955-7fb2-457a-89cc-e845a0f06624', '30cbe1cd4c1a4572f6d9ee988030ce1f78c8b9c5c3c8ad89c13621f5e412ab94', '2026-11-22 10:14:51.648741+00', '20261121000900_move_between_wallets', NULL, NULL, '2026-11-22 10:14:51.640637+00', '1'),
  ('f004d358-ca3a-416c-be07-d49550887f5e', '75fd42298b0e1a28e46de37ebb158f7f2d877fcb32b861f272cf17b31bfa3344', '2026-11-22 10:14:51.480853+00', '20261121000000_tables', NULL, NULL, '2026-11-22 10:14:51.187854+00', '1'),
  ('fd57ab9e-09a4-4812-a21a-fa3dbbc1e38e', 'da15ce069751d760cfb1c9d4d94933c79b3c9e810a3e38f677e0bb97da778885', '2026-11-22 10:14:52.369642+00', '20261123001400_retention', NULL, NULL, '2026-11-22 10:14:52.355574+00', '1'),
  ('fdca611a-4ea6-43b8-8998-46fc63168df1', '4528faffa8a1a0aae18d4fc72a6282f60c6e708c01f34798ac7f8f0831457bea', '2026-11-22 10:14:52.458083+00', '20261123002500_pin_failures', NULL, NULL, '2026-11-22 10:14:52.446568+00', '1');
INSERT INTO merchants ("id", "name", "suspended_at", "created_at", "partner_api_enabled", "partner_requests_a_minute", "pay_requests_a_minute", "refunds_need_approval") VALUES
  ('84742873-7407-48eb-8f7d-df154855ad86', 'Old shop', NULL, '2026-11-22 10:14:52.588403+00', 'false', NULL, NULL, 'false');
INSERT INTO credentials ("id", "merchant_id", "mode", "kind", "client_id", "secret_hash", "secret_ciphertext", "encryption_key_id", "created_at", "revoked_at", "last_used_at", "expires_at", "replaces_id") VALUES
  ('87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', '84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'client', 'tg_sandbox_old', E'\\x32b027ce4760dec0f12c1ef5d8fa46c5a094e74e5631b6879ba0782cb864e831', E'\\x32b027ce4760dec0f12c1ef5d8fa46c5a094e74e5631b6879ba0782cb864e831', 'k1', '2026-11-22 10:14:52.591662+00', NULL, NULL, NULL, NULL);
INSERT INTO currencies ("code", "digits", "name", "symbol", "active", "type", "single_administrator_limit") VALUES
  ('EUR', '2', 'Euro', '€', 'true', 'fiat', '0'),
  ('USD', '2', 'US dollar', '$', 'true', 'fiat', '0');
INSERT INTO wallet_users ("id", "mode", "name", "phone", "email", "pin_hash", "active", "test_of_merchant_id", "created_at") VALUES
  ('0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', 'sandbox', 'Old shopper', NULL, 'old@example.com', NULL, 'true', NULL, '2026-11-22 10:14:52.606571+00');
INSERT INTO wallet_sessions ("id", "mode", "wallet_user_id", "token_hash", "created_at", "expires_at", "revoked_at", "pin_entered_at", "previous_token_hash", "previous_valid_until", "rotated_at") VALUES
  ('aa814ee3-0815-428b-b132-df80998263b7', 'sandbox', '0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', E'\\x96dfd3868ecec31b6e28e110a04d54a89356e7bd5a7e750fac19e29148aba034', '2026-11-22 10:14:52.612983+00', '2026-11-23 10:14:52.612983+00', NULL, '2026-11-22 10:14:52.613433+00', NULL, NULL, '2026-11-22 10:14:52.613433+00');
INSERT INTO accounts ("id", "mode", "currency", "kind", "merchant_id", "wallet_user_id", "balance", "closed_at", "created_at") VALUES
  ('0c6b8f81-2f38-4f28-8128-5e484ab2cc77', 'sandbox', 'EUR', 'hold', '84742873-7407-48eb-8f7d-df154855ad86', NULL, '610', NULL, '2026-11-22 10:14:52.620403+00'),
  ('25290cd3-4eaa-44e2-9d6c-af88fd7f5393', 'sandbox', 'EUR', 'issuing', NULL, NULL, NULL, NULL, '2026-11-22 10:14:52.620403+00'),
  ('37aafca5-327b-4c71-bf0e-11753164cf41', 'sandbox', 'EUR', 'fx', NULL, NULL, NULL, NULL, '2026-11-22 10:14:52.620403+00'),
  ('485cb58c-28d0-4cb2-ac04-d6c08b5bf99e', 'sandbox', 'EUR', 'fees', NULL, NULL, NULL, NULL, '2026-11-22 10:14:52.620403+00'),
  ('5649855b-4c31-4aca-ad56-a19dc9abf7a5', 'sandbox', 'USD', 'shopper', NULL, '0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', '98981', NULL, '2026-11-22 10:14:52.942399+00'),
  ('b72c604d-c450-42a2-977a-44ffe2b37d25', 'sandbox', 'USD', 'fx', NULL, NULL, NULL, NULL, '2026-11-22 10:14:52.620403+00'),
  ('cedd2730-ead4-4573-b0ac-c8cf44b95903', 'sandbox', 'USD', 'issuing', NULL, NULL, NULL, NULL, '2026-11-22 10:14:52.620403+00'),
  ('dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', 'merchant', '84742873-7407-48eb-8f7d-df154855ad86', NULL, '3697', NULL, '2026-11-22 10:14:52.620403+00'),
  ('f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', 'shopper', NULL, '0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', '101600', NULL, '2026-11-22 10:14:52.620403+00');
INSERT INTO transfers ("id", "mode", "kind", "corrects", "external_reference", "created_at") VALUES
  ('19354662-b035-401c-893a-2703f7551966', 'sandbox', 'hold', NULL, NULL, '2026-11-22 10:14:52.865293+00'),
  ('2c71b9fa-c79b-4b69-8efb-592c7330b486', 'sandbox', 'payment', NULL, NULL, '2026-11-22 10:14:52.848031+00'),
  ('3fef2a47-353c-4f90-9159-5c20c8c28872', 'sandbox', 'payment', NULL, NULL, '2026-11-22 10:14:52.973483+00'),
  ('63a7e575-94bd-4c1c-abdb-94f14fd8134b', 'sandbox', 'payment', NULL, NULL, '2026-11-22 10:14:52.765908+00'),
  ('77e2ccf7-3460-42d8-896c-1b021b835e12', 'sandbox', 'refund', NULL, NULL, '2026-11-22 10:14:52.819751+00'),
  ('7cddf1d7-85ac-4028-9166-4f9c405abcc2', 'sandbox', 'deposit', NULL, 'opening', '2026-11-22 10:14:52.634903+00'),
  ('94efe4ed-8c9a-40a7-86aa-f4f0622e09aa', 'sandbox', 'payment', NULL, NULL, '2026-11-22 10:14:52.711133+00'),
  ('a9a42a4e-a6e6-4a48-a645-89e5fed11279', 'sandbox', 'deposit', NULL, 'wire 1', '2026-11-22 10:14:52.925636+00'),
  ('b3bdc393-4aa8-4a09-a75a-235ab7a9c3aa', 'sandbox', 'hold', NULL, NULL, '2026-11-22 10:14:52.913+00'),
  ('bcdf6375-ab70-4d2c-a9a5-7e5f168ad845', 'sandbox', 'refund', NULL, NULL, '2026-11-22 10:14:52.998357+00'),
  ('c8a23202-d3de-45da-804b-bd9c624957da', 'sandbox', 'payout', NULL, NULL, '2026-11-22 10:14:52.899707+00'),
  ('e034be19-f06d-45ee-946b-4b514d6b7a42', 'sandbox', 'deposit', NULL, 'opening usd', '2026-11-22 10:14:52.943639+00'),
  ('eb4a0eb3-68e3-454f-a6b3-6701f92faa97', 'sandbox', 'refund', NULL, NULL, '2026-11-22 10:14:52.781445+00'),
  ('f1c3cfd5-fdbc-4fcd-9bcb-35893a864195', 'sandbox', 'payment', NULL, NULL, '2026-11-22 10:14:52.750654+00');
INSERT INTO entries ("id", "transfer_id", "account_id", "mode", "currency", "amount") VALUES
  ('1', '7cddf1d7-85ac-4028-9166-4f9c405abcc2', '25290cd3-4eaa-44e2-9d6c-af88fd7f5393', 'sandbox', 'EUR', '-100000'),
  ('10', 'eb4a0eb3-68e3-454f-a6b3-6701f92faa97', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', '250'),
  ('11', '77e2ccf7-3460-42d8-896c-1b021b835e12', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', '-1250'),
  ('12', '77e2ccf7-3460-42d8-896c-1b021b835e12', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', '1250'),
  ('13', '2c71b9fa-c79b-4b69-8efb-592c7330b486', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', '-1250'),
  ('14', '2c71b9fa-c79b-4b69-8efb-592c7330b486', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', '1250'),
  ('15', '19354662-b035-401c-893a-2703f7551966', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', '-500'),
  ('16', '19354662-b035-401c-893a-2703f7551966', '0c6b8f81-2f38-4f28-8128-5e484ab2cc77', 'sandbox', 'EUR', '500'),
  ('17', 'c8a23202-d3de-45da-804b-bd9c624957da', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', '-110'),
  ('18', 'c8a23202-d3de-45da-804b-bd9c624957da', '485cb58c-28d0-4cb2-ac04-d6c08b5bf99e', 'sandbox', 'EUR', '10'),
  ('19', 'c8a23202-d3de-45da-804b-bd9c624957da', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', '100'),
  ('2', '7cddf1d7-85ac-4028-9166-4f9c405abcc2', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', '100000'),
  ('20', 'b3bdc393-4aa8-4a09-a75a-235ab7a9c3aa', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', '-110'),
  ('21', 'b3bdc393-4aa8-4a09-a75a-235ab7a9c3aa', '0c6b8f81-2f38-4f28-8128-5e484ab2cc77', 'sandbox', 'EUR', '110'),
  ('22', 'a9a42a4e-a6e6-4a48-a645-89e5fed11279', '25290cd3-4eaa-44e2-9d6c-af88fd7f5393', 'sandbox', 'EUR', '-5000'),
  ('23', 'a9a42a4e-a6e6-4a48-a645-89e5fed11279', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', '5000'),
  ('24', 'e034be19-f06d-45ee-946b-4b514d6b7a42', 'cedd2730-ead4-4573-b0ac-c8cf44b95903', 'sandbox', 'USD', '-100000'),
  ('25', 'e034be19-f06d-45ee-946b-4b514d6b7a42', '5649855b-4c31-4aca-ad56-a19dc9abf7a5', 'sandbox', 'USD', '100000'),
  ('26', '3fef2a47-353c-4f90-9159-5c20c8c28872', '5649855b-4c31-4aca-ad56-a19dc9abf7a5', 'sandbox', 'USD', '-1389'),
  ('27', '3fef2a47-353c-4f90-9159-5c20c8c28872', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', '1250'),
  ('28', '3fef2a47-353c-4f90-9159-5c20c8c28872', 'b72c604d-c450-42a2-977a-44ffe2b37d25', 'sandbox', 'USD', '1389'),
  ('29', '3fef2a47-353c-4f90-9159-5c20c8c28872', '37aafca5-327b-4c71-bf0e-11753164cf41', 'sandbox', 'EUR', '-1250'),
  ('3', '94efe4ed-8c9a-40a7-86aa-f4f0622e09aa', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', '-1250'),
  ('30', 'bcdf6375-ab70-4d2c-a9a5-7e5f168ad845', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', '-333'),
  ('31', 'bcdf6375-ab70-4d2c-a9a5-7e5f168ad845', '5649855b-4c31-4aca-ad56-a19dc9abf7a5', 'sandbox', 'USD', '370'),
  ('32', 'bcdf6375-ab70-4d2c-a9a5-7e5f168ad845', '37aafca5-327b-4c71-bf0e-11753164cf41', 'sandbox', 'EUR', '333'),
  ('33', 'bcdf6375-ab70-4d2c-a9a5-7e5f168ad845', 'b72c604d-c450-42a2-977a-44ffe2b37d25', 'sandbox', 'USD', '-370'),
  ('4', '94efe4ed-8c9a-40a7-86aa-f4f0622e09aa', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', '1250'),
  ('5', 'f1c3cfd5-fdbc-4fcd-9bcb-35893a864195', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', '-1250'),
  ('6', 'f1c3cfd5-fdbc-4fcd-9bcb-35893a864195', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', '1250'),
  ('7', '63a7e575-94bd-4c1c-abdb-94f14fd8134b', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', '-1250'),
  ('8', '63a7e575-94bd-4c1c-abdb-94f14fd8134b', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', '1250'),
  ('9', 'eb4a0eb3-68e3-454f-a6b3-6701f92faa97', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', '-250');
INSERT INTO orders ("id", "mode", "merchant_id", "credential_id", "token", "amount", "currency", "payment_method", "status", "state", "reference", "description", "terminal_id", "order_number", "custom", "callback_url", "return_url", "cancel_url", "expires_at", "created_at", "paid_at", "trx_id", "transfer_id", "payer_account_id", "refunded", "refund_pending", "version", "payer_amount", "payer_currency", "quote_id") VALUES
  ('ord_18ec240a033bf1e8b404b56f', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'c184caec-54fe-4e45-b966-b9e573b61ee4', '1250', 'EUR', 'both', 'CANCELLED', 'CANCELLED', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:52.660664+00', '2026-11-22 10:14:52.660664+00', NULL, NULL, NULL, NULL, '0', '0', '2', NULL, NULL, NULL),
  ('ord_5cac7cd99eb9b614c07943f3', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'f0a6f5ce-7530-48af-ad97-2eb79dcedd7c', '1250', 'EUR', 'both', 'PENDING', 'PENDING', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:52.646004+00', '2026-11-22 10:14:52.646004+00', NULL, NULL, NULL, NULL, '0', '0', '1', NULL, NULL, NULL),
  ('ord_6105e8b927ab4f91dc7775d4', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', '779619cc-31dc-49c0-a21d-4fba6cac3c15', '1250', 'EUR', 'both', 'PAID', 'PAID', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:52.662812+00', '2026-11-22 10:14:52.662812+00', '2026-11-22 10:14:52.712258+00', 'TRX615080530745', '94efe4ed-8c9a-40a7-86aa-f4f0622e09aa', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', '0', '0', '2', '1250', 'EUR', NULL),
  ('ord_7f7f5382c72d69e97241ce76', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'ffa3bc52-468f-4c38-8c8d-ea37dd4d6563', '1250', 'EUR', 'both', 'PAID', 'REFUNDED', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:52.666519+00', '2026-11-22 10:14:52.666519+00', '2026-11-22 10:14:52.76657+00', 'TRXd4cb56c9bf29', '63a7e575-94bd-4c1c-abdb-94f14fd8134b', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', '1250', '0', '3', '1250', 'EUR', NULL),
  ('ord_9e13349cfb834734a232a5e7', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'bbfee9fa-2861-4259-83ba-6d14a2356a7f', '1250', 'EUR', 'both', 'PAID', 'REFUND_PENDING', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:52.846333+00', '2026-11-22 10:14:52.846333+00', '2026-11-22 10:14:52.852676+00', 'TRXb04e5ab8106d', '2c71b9fa-c79b-4b69-8efb-592c7330b486', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', '0', '500', '3', '1250', 'EUR', NULL),
  ('ord_d105937111a2f508ddf3c8d9', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', '87a393f3-d3b8-44ba-8395-9426d0690ffe', '1250', 'EUR', 'both', 'PAID', 'PAID', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:52.949466+00', '2026-11-22 10:14:52.949466+00', '2026-11-22 10:14:52.974496+00', 'TRX0f52c428e453', '3fef2a47-353c-4f90-9159-5c20c8c28872', '5649855b-4c31-4aca-ad56-a19dc9abf7a5', '333', '0', '3', '1389', 'USD', '52492354-d8cb-46b1-aec2-42af41e6eebc'),
  ('ord_d74b20ce3d5a2a79eb4f949d', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', '46c9cc2b-75b2-4fc9-8157-01d40259bae7', '1250', 'EUR', 'both', 'PAID', 'PAID', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:52.664706+00', '2026-11-22 10:14:52.664706+00', '2026-11-22 10:14:52.751482+00', 'TRX45c10c3eb795', 'f1c3cfd5-fdbc-4fcd-9bcb-35893a864195', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', '250', '0', '3', '1250', 'EUR', NULL);
INSERT INTO refunds ("id", "mode", "merchant_id", "order_id", "amount", "currency", "status", "reason", "reference", "transfer_id", "created_at", "settled_at", "hold_transfer_id", "payer_amount") VALUES
  ('ref_06218e314859463a54d8985e', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'ord_9e13349cfb834734a232a5e7', '500', 'EUR', 'pending', 'old', NULL, NULL, '2026-11-22 10:14:52.865977+00', NULL, '19354662-b035-401c-893a-2703f7551966', NULL),
  ('ref_0e68cf6ce6223f601e9a4a53', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'ord_d74b20ce3d5a2a79eb4f949d', '250', 'EUR', 'completed', 'old', NULL, 'eb4a0eb3-68e3-454f-a6b3-6701f92faa97', '2026-11-22 10:14:52.782104+00', '2026-11-22 10:14:52.782104+00', NULL, '250'),
  ('ref_32e37b9d63b8eb0902e6baa3', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'ord_d105937111a2f508ddf3c8d9', '333', 'EUR', 'completed', 'old', NULL, 'bcdf6375-ab70-4d2c-a9a5-7e5f168ad845', '2026-11-22 10:14:52.999309+00', '2026-11-22 10:14:52.999309+00', NULL, '370'),
  ('ref_fd32d6d102ac78d3fbbe684b', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'ord_7f7f5382c72d69e97241ce76', '1250', 'EUR', 'completed', 'old', NULL, '77e2ccf7-3460-42d8-896c-1b021b835e12', '2026-11-22 10:14:52.827971+00', '2026-11-22 10:14:52.827971+00', NULL, '1250');
INSERT INTO day_counts ("merchant_id", "mode", "kind", "day", "status", "slot", "count") VALUES
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'CANCELLED', '1', '1'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'PAID', '1', '3'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'PENDING', '1', '1'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'REFUNDED', '1', '1'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'REFUND_PENDING', '1', '1'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund', '2026-11-22', 'completed', '1', '3'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund', '2026-11-22', 'pending', '1', '1');
INSERT INTO idempotency_keys ("merchant_id", "mode", "operation", "key", "request_hash", "resource_id", "created_at") VALUES
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'create_order', 'old key', E'\\xdfcafae694259c719203dd502252ab975bf6849dc6c8f5fcbe1eda19a821db4d', 'ord_5cac7cd99eb9b614c07943f3', '2026-11-22 10:14:52.644478+00'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund_payment', 'old refund', E'\\x1e472b39b105d349bcd069c4a711b44a2fffb8e274714bb07ecfff69a9a7f67b', 'ref_0e68cf6ce6223f601e9a4a53', '2026-11-22 10:14:52.778876+00');
INSERT INTO events ("id", "mode", "merchant_id", "name", "order_id", "body", "created_at", "turn", "number") VALUES
  ('evt_09894f0f8acb4196b060498dbefdd81f', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'refund.completed', 'ord_7f7f5382c72d69e97241ce76', '{"id" : "evt_09894f0f8acb4196b060498dbefdd81f", "event" : "refund.completed", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"refund_id" : "ref_fd32d6d102ac78d3fbbe684b", "transaction_id" : "TRXd4cb56c9bf29", "amount" : "12.50 EUR", "raw_amount" : 12.50, "currency" : "EUR", "status" : "completed", "reason" : "old", "reference" : null, "created_at" : "2026-11-22T10:14:52+00:00", "order_id" : "ord_7f7f5382c72d69e97241ce76"}}', '2026-11-22 10:14:52.83017+00', '1106', '6'),
  ('evt_0eb89cd1eee04ca4a18802d87623666a', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'payout.completed', NULL, '{"id" : "evt_0eb89cd1eee04ca4a18802d87623666a", "event" : "payout.completed", "payout_id" : "pay_f0adfb0f9dfd26c1ae9aa276", "reference" : "old-1", "amount" : 1.00, "currency" : "EUR", "fee" : 0.10, "total_deducted" : 1.10, "exchange_rate" : 1, "receiver_amount" : 1.00, "receiver_currency" : "EUR", "status" : "completed", "processed_at" : "2026-11-22T10:14:52+00:00", "timestamp" : "2026-11-22T10:14:52+00:00"}', '2026-11-22 10:14:52.909503+00', '1112', '9'),
  ('evt_26b1d76166b54c04add5a1eec7fb707d', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'refund.completed', 'ord_d74b20ce3d5a2a79eb4f949d', '{"id" : "evt_26b1d76166b54c04add5a1eec7fb707d", "event" : "refund.completed", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"refund_id" : "ref_0e68cf6ce6223f601e9a4a53", "transaction_id" : "TRX45c10c3eb795", "amount" : "2.50 EUR", "raw_amount" : 2.50, "currency" : "EUR", "status" : "completed", "reason" : "old", "reference" : null, "created_at" : "2026-11-22T10:14:52+00:00", "order_id" : "ord_d74b20ce3d5a2a79eb4f949d"}}', '2026-11-22 10:14:52.795357+00', '1105', '5'),
  ('evt_62582e14d93542d8a687baf2bf1851c2', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.cancelled', 'ord_18ec240a033bf1e8b404b56f', '{"id" : "evt_62582e14d93542d8a687baf2bf1851c2", "event" : "pos.order.cancelled", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_18ec240a033bf1e8b404b56f", "amount" : 12.50, "currency" : "EUR", "status" : "CANCELLED", "reference" : null, "terminal_id" : null, "trx_id" : null, "paid_at" : null, "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:52.681566+00', '1101', '1'),
  ('evt_74b69b80a9734c91bd5bc76db9cfd3da', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.paid', 'ord_6105e8b927ab4f91dc7775d4', '{"id" : "evt_74b69b80a9734c91bd5bc76db9cfd3da", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_6105e8b927ab4f91dc7775d4", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRX615080530745", "paid_at" : "2026-11-22T10:14:52+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:52.722682+00', '1102', '2'),
  ('evt_a04e8e9eb88e418786db3a29ed6363b2', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.paid', 'ord_d105937111a2f508ddf3c8d9', '{"id" : "evt_a04e8e9eb88e418786db3a29ed6363b2", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_d105937111a2f508ddf3c8d9", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRX0f52c428e453", "paid_at" : "2026-11-22T10:14:52+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:52.986131+00', '1120', '10'),
  ('evt_ba309f2087df4c57a57b203a324ac4ef', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.paid', 'ord_d74b20ce3d5a2a79eb4f949d', '{"id" : "evt_ba309f2087df4c57a57b203a324ac4ef", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_d74b20ce3d5a2a79eb4f949d", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRX45c10c3eb795", "paid_at" : "2026-11-22T10:14:52+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:52.753429+00', '1103', '3'),
  ('evt_bbc8befa3f2747c1bf62e26aee768ef6', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.paid', 'ord_7f7f5382c72d69e97241ce76', '{"id" : "evt_bbc8befa3f2747c1bf62e26aee768ef6", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_7f7f5382c72d69e97241ce76", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRXd4cb56c9bf29", "paid_at" : "2026-11-22T10:14:52+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:52.767623+00', '1104', '4'),
  ('evt_bcdeba476c2c453dbffe01e55a5e145c', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.paid', 'ord_9e13349cfb834734a232a5e7', '{"id" : "evt_bcdeba476c2c453dbffe01e55a5e145c", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_9e13349cfb834734a232a5e7", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRXb04e5ab8106d", "paid_at" : "2026-11-22T10:14:52+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:52.853325+00', '1108', '8'),
  ('evt_e74c3fac943e4af8a678994a73d28f44', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'refund.completed', 'ord_d105937111a2f508ddf3c8d9', '{"id" : "evt_e74c3fac943e4af8a678994a73d28f44", "event" : "refund.completed", "timestamp" : "2026-11-22T10:14:53+00:00", "data" : {"refund_id" : "ref_32e37b9d63b8eb0902e6baa3", "transaction_id" : "TRX0f52c428e453", "amount" : "3.33 EUR", "raw_amount" : 3.33, "currency" : "EUR", "status" : "completed", "reason" : "old", "reference" : null, "created_at" : "2026-11-22T10:14:52+00:00", "order_id" : "ord_d105937111a2f508ddf3c8d9"}}', '2026-11-22 10:14:53.006387+00', '1121', '11'),
  ('evt_ed08925a670e4f2b88ea2c5d342b12c4', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.refunded', 'ord_7f7f5382c72d69e97241ce76', '{"id" : "evt_ed08925a670e4f2b88ea2c5d342b12c4", "event" : "pos.order.refunded", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_7f7f5382c72d69e97241ce76", "amount" : 12.50, "currency" : "EUR", "status" : "REFUNDED", "reference" : null, "terminal_id" : null, "trx_id" : "TRXd4cb56c9bf29", "paid_at" : "2026-11-22T10:14:52+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 12.50, "version" : 3}}', '2026-11-22 10:14:52.831296+00', '1106', '7');
INSERT INTO receivers ("id", "mode", "merchant_id", "address", "events", "secret_ciphertext", "encryption_key_id", "disabled_at", "created_at", "deliveries_lag", "disabled_reason", "failing_since", "failures_in_row", "last_failure_at", "last_failure_kind", "last_failure_status", "last_success_at", "paused_at", "previous_encryption_key_id", "previous_secret_ciphertext", "previous_secret_expires_at", "removed_at", "warned_at") VALUES
  ('b6c437f4-ae6a-422a-9d28-6818da6e8c47', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'https://shop.example/hook', '{pos.order.paid,refund.completed}', E'\\x78', 'k1', NULL, '2026-11-22 10:14:52.615401+00', 'false', NULL, NULL, '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('bac49608-04fe-4e4d-b39a-7b19aa29df68', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'https://gone.example/hook', '{pos.order.paid}', E'\\x78', 'k1', '2026-11-22 10:14:52.617634+00', '2026-11-22 10:14:52.617634+00', 'false', 'gone', NULL, '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO deliveries ("id", "mode", "event_id", "receiver_id", "credential_id", "address", "status", "attempt_count", "next_attempt_at", "created_at", "settled_at", "attempts_before", "given_up_because") VALUES
  ('0319369d-33bd-40b7-b5a4-9907257d4873', 'sandbox', 'evt_09894f0f8acb4196b060498dbefdd81f', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:52.830872+00', '2026-11-22 10:14:52.830872+00', NULL, '0', NULL),
  ('0b4a65b9-2414-48b0-9248-272e2853a9ff', 'sandbox', 'evt_bbc8befa3f2747c1bf62e26aee768ef6', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:52.771515+00', '2026-11-22 10:14:52.771515+00', NULL, '0', NULL),
  ('198f22dc-495b-45b8-b9fe-d0d436d1fc9a', 'sandbox', 'evt_74b69b80a9734c91bd5bc76db9cfd3da', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:52.723026+00', '2026-11-22 10:14:52.723026+00', NULL, '0', NULL),
  ('2065a8f5-d2da-4507-907a-1c1489fe7e0b', 'sandbox', 'evt_26b1d76166b54c04add5a1eec7fb707d', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:52.795803+00', '2026-11-22 10:14:52.795803+00', NULL, '0', NULL),
  ('2de57185-26d1-47e5-97bb-d92cb64680f4', 'sandbox', 'evt_e74c3fac943e4af8a678994a73d28f44', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:53.006678+00', '2026-11-22 10:14:53.006678+00', NULL, '0', NULL),
  ('41fb2dc4-0882-4078-b9f2-e80760d9da92', 'sandbox', 'evt_ba309f2087df4c57a57b203a324ac4ef', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:52.75419+00', '2026-11-22 10:14:52.75419+00', NULL, '0', NULL),
  ('43500e59-dbd4-4d53-85db-34239e8ec59f', 'sandbox', 'evt_a04e8e9eb88e418786db3a29ed6363b2', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:52.986302+00', '2026-11-22 10:14:52.986302+00', NULL, '0', NULL),
  ('43c2545a-2dd9-4073-b70e-3c41a40d81a8', 'sandbox', 'evt_ed08925a670e4f2b88ea2c5d342b12c4', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:52.831411+00', '2026-11-22 10:14:52.831412+00', NULL, '0', NULL),
  ('5f46c967-855b-42c0-a7fb-a5f2075a1e93', 'sandbox', 'evt_26b1d76166b54c04add5a1eec7fb707d', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:52.796273+00', '2026-11-22 10:14:52.796273+00', NULL, '0', NULL),
  ('785f6433-d485-479f-b2b3-f37c62e8a10d', 'sandbox', 'evt_62582e14d93542d8a687baf2bf1851c2', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:52.683385+00', '2026-11-22 10:14:52.683385+00', NULL, '0', NULL),
  ('793e7a0d-8b1e-48db-a3ff-96dd7a365927', 'sandbox', 'evt_09894f0f8acb4196b060498dbefdd81f', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:52.830498+00', '2026-11-22 10:14:52.830498+00', NULL, '0', NULL),
  ('885765d3-bccb-4b38-9293-c72bfb35e999', 'sandbox', 'evt_bbc8befa3f2747c1bf62e26aee768ef6', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:52.767946+00', '2026-11-22 10:14:52.767946+00', NULL, '0', NULL),
  ('8cadb67d-5585-4f7f-aeed-2a0d199b5ab3', 'sandbox', 'evt_a04e8e9eb88e418786db3a29ed6363b2', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:52.986538+00', '2026-11-22 10:14:52.986538+00', NULL, '0', NULL),
  ('abad23d6-a1f0-4b88-98eb-189c06dfdc4b', 'sandbox', 'evt_e74c3fac943e4af8a678994a73d28f44', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:53.007094+00', '2026-11-22 10:14:53.007094+00', NULL, '0', NULL),
  ('c7acea00-109f-440e-a94a-bea460c243ed', 'sandbox', 'evt_ba309f2087df4c57a57b203a324ac4ef', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:52.75378+00', '2026-11-22 10:14:52.75378+00', NULL, '0', NULL),
  ('dca4b610-507d-4937-bd48-4b5f02ee1c83', 'sandbox', 'evt_bcdeba476c2c453dbffe01e55a5e145c', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:52.853556+00', '2026-11-22 10:14:52.853556+00', NULL, '0', NULL),
  ('f1cde456-c7c5-42e2-9ba7-a7524926b06a', 'sandbox', 'evt_bcdeba476c2c453dbffe01e55a5e145c', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:52.853428+00', '2026-11-22 10:14:52.853429+00', NULL, '0', NULL),
  ('f4e3750c-73cd-475a-bfae-98e485b4e595', 'sandbox', 'evt_74b69b80a9734c91bd5bc76db9cfd3da', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:52.723464+00', '2026-11-22 10:14:52.723464+00', NULL, '0', NULL);
INSERT INTO console_users ("id", "email", "role", "merchant_id", "password_hash", "created_at") VALUES
  ('07082b9c-640e-400d-9455-17eba347aeb6', 'admin@example.com', 'administrator', NULL, 'x', '2026-11-22 10:14:52.916908+00');
INSERT INTO payout_usage ("merchant_id", "mode", "currency", "period", "starts_on", "amount") VALUES
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'EUR', 'day', '2026-11-22', '200'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'EUR', 'month', '2026-11-01', '200');
INSERT INTO payouts ("id", "mode", "merchant_id", "reference", "quote_id", "wallet_user_id", "recipient_account_id", "amount", "sender_currency", "fee", "rate", "receiver_amount", "receiver_currency", "status", "description", "trx_id", "transfer_id", "hold_transfer_id", "created_at", "processed_at") VALUES
  ('pay_67bb982d0a0725a0b776ca6a', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'old-2', NULL, '0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', '100', 'EUR', '10', '1.00000000000000000000', '100', 'EUR', 'pending', NULL, NULL, NULL, 'b3bdc393-4aa8-4a09-a75a-235ab7a9c3aa', '2026-11-22 10:14:52.911375+00', NULL),
  ('pay_f0adfb0f9dfd26c1ae9aa276', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'old-1', NULL, '0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', '100', 'EUR', '10', '1.00000000000000000000', '100', 'EUR', 'completed', NULL, 'POecf6494a94', 'c8a23202-d3de-45da-804b-bd9c624957da', NULL, '2026-11-22 10:14:52.8863+00', '2026-11-22 10:14:52.8863+00');
INSERT INTO audit_records ("id", "merchant_id", "number", "administrator_id", "administrator", "action", "subject", "details", "created_at", "previous_hash", "hash") VALUES
  ('1', NULL, '1', '07082b9c-640e-400d-9455-17eba347aeb6', 'admin@example.com', 'wallet.deposit', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', '{"mode" : "sandbox", "currency" : "EUR", "amount_minor" : "5000", "external_reference" : "wire 1", "wallet_user_id" : "0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1", "request_id" : null, "transfer_id" : "a9a42a4e-a6e6-4a48-a645-89e5fed11279"}', '2026-11-22 10:14:52.940884+00', E'\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', E'\\x2eb380b03d1ca044fd33842937e80870c6af7b1d44252172ebb709ba9b44503f');
INSERT INTO span_counts ("merchant_id", "mode", "kind", "starts_at", "status", "slot", "count") VALUES
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'CANCELLED', '1', '1'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'PAID', '1', '3'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'PENDING', '1', '1'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'REFUNDED', '1', '1'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'REFUND_PENDING', '1', '1'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund', '2026-11-22 10:10:00+00', 'completed', '1', '3'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund', '2026-11-22 10:10:00+00', 'pending', '1', '1');
INSERT INTO event_retention ("id", "pruned_before") VALUES
  ('1', '2000-01-01 00:00:00+00');
INSERT INTO exchange_rates (id, mode, base, quote, rate, effective_from) VALUES ('5f0c3a52-7f1e-4a7c-9d3e-0c7d3a4f9b11', 'sandbox', 'USD', 'EUR', 0.9, '2000-01-01');
INSERT INTO shopper_quotes ("id", "mode", "order_id", "wallet_user_id", "account_id", "payer_currency", "payer_amount", "rate", "created_at", "expires_at", "used_at") VALUES
  ('52492354-d8cb-46b1-aec2-42af41e6eebc', 'sandbox', 'ord_d105937111a2f508ddf3c8d9', '0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', '5649855b-4c31-4aca-ad56-a19dc9abf7a5', 'USD', '1389', '0.90000000000000000000', '2026-11-22 10:14:52.95086+00', '2026-11-22 11:14:52.950681+00', '2026-11-22 10:14:52.958774+00');
SELECT setval('attempts_id_seq', 1, false);
SELECT setval('audit_records_id_seq', 1, true);
SELECT setval('entries_id_seq', 33, true);
SELECT setval('events_number_seq', 11, true);
SELECT setval('timeline_entries_id_seq', 1, false);

CREATE UNIQUE INDEX accounts_id_mode_currency_key ON accounts USING btree (id, mode, currency);
CREATE UNIQUE INDEX accounts_one_per_house ON accounts USING btree (mode, currency, kind) WHERE ((merchant_id IS NULL) AND (wallet_user_id IS NULL));
CREATE UNIQUE INDEX accounts_one_per_merchant ON accounts USING btree (merchant_id, mode, currency, kind) WHERE (merchant_id IS NOT NULL);
CREATE UNIQUE INDEX accounts_one_per_wallet_user ON accounts USING btree (wallet_user_id, currency) WHERE (wallet_user_id IS NOT NULL);
CREATE UNIQUE INDEX approval_requests_one_limit ON approval_requests USING btree (currency) WHERE ((kind = 'single_limit'::approval_kind) AND (status = 'pending'::approval_status));
CREATE UNIQUE INDEX approval_requests_one_per_reference ON approval_requests USING btree (mode, external_reference) WHERE (status <> 'rejected'::approval_status);
CREATE UNIQUE INDEX approval_requests_one_per_transfer ON approval_requests USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE INDEX approval_requests_pending ON approval_requests USING btree (requested_at) WHERE (status = 'pending'::approval_status);
CREATE UNIQUE INDEX attempts_delivery_id_number_key ON attempts USING btree (delivery_id, number);
CREATE INDEX attempts_started_at_idx ON attempts USING btree (started_at);
CREATE UNIQUE INDEX audit_records_one_chain ON audit_records USING btree (merchant_id, number) WHERE (merchant_id IS NOT NULL);
CREATE UNIQUE INDEX audit_records_one_house_chain ON audit_records USING btree (number) WHERE (merchant_id IS NULL);
CREATE UNIQUE INDEX console_users_email_key ON console_users USING btree (email);
CREATE INDEX credentials_client_id_idx ON credentials USING btree (client_id);
CREATE UNIQUE INDEX credentials_id_merchant_id_mode_key ON credentials USING btree (id, merchant_id, mode);
CREATE UNIQUE INDEX credentials_id_mode_key ON credentials USING btree (id, mode);
CREATE INDEX credentials_merchant_id_mode_idx ON credentials USING btree (merchant_id, mode);
CREATE UNIQUE INDEX credentials_one_lasting_secret ON credentials USING btree (client_id) WHERE (expires_at IS NULL);
CREATE UNIQUE INDEX credentials_replaces_id_merchant_id_mode_key ON credentials USING btree (replaces_id, merchant_id, mode);
CREATE UNIQUE INDEX credentials_secret_hash_key ON credentials USING btree (secret_hash);
CREATE INDEX deliveries_due ON deliveries USING btree (next_attempt_at) WHERE (status = 'pending'::delivery_status);
CREATE INDEX deliveries_event_id_idx ON deliveries USING btree (event_id);
CREATE INDEX deliveries_failed_of_receiver ON deliveries USING btree (receiver_id, created_at DESC, id DESC) WHERE ((status = 'failed'::delivery_status) AND (receiver_id IS NOT NULL));
CREATE INDEX deliveries_of_receiver ON deliveries USING btree (receiver_id, created_at DESC, id DESC) WHERE (receiver_id IS NOT NULL);
CREATE INDEX deliveries_queued ON deliveries USING btree (next_attempt_at) WHERE (status = 'queued'::delivery_status);
CREATE INDEX deliveries_waiting ON deliveries USING btree (receiver_id) WHERE ((status = ANY (ARRAY['pending'::delivery_status, 'held'::delivery_status])) AND (receiver_id IS NOT NULL));
CREATE INDEX delivery_hosts_changed_at_idx ON delivery_hosts USING btree (changed_at);
CREATE INDEX entries_account_id_id_idx ON entries USING btree (account_id, id);
CREATE INDEX entries_transfer_id_idx ON entries USING btree (transfer_id);
CREATE INDEX events_created_at_idx ON events USING btree (created_at);
CREATE UNIQUE INDEX events_id_mode_key ON events USING btree (id, mode);
CREATE INDEX events_merchant_id_mode_created_at_idx ON events USING btree (merchant_id, mode, created_at DESC);
CREATE INDEX events_merchant_id_mode_turn_number_idx ON events USING btree (merchant_id, mode, turn, number);
CREATE UNIQUE INDEX events_once_per_order ON events USING btree (order_id, name) WHERE (name ~~ 'pos.order.%'::text);
CREATE INDEX events_order_id_idx ON events USING btree (order_id);
CREATE INDEX exchange_rates_mode_base_quote_effective_from_created_at_idx ON exchange_rates USING btree (mode, base, quote, effective_from DESC, created_at DESC);
CREATE UNIQUE INDEX fee_schedules_one_default ON fee_schedules USING btree (mode, currency) WHERE (merchant_id IS NULL);
CREATE UNIQUE INDEX fee_schedules_one_per_merchant ON fee_schedules USING btree (merchant_id, mode, currency) WHERE (merchant_id IS NOT NULL);
CREATE INDEX lookup_tokens_expires_at_idx ON lookup_tokens USING btree (expires_at);
CREATE INDEX merchant_branding_logo_id_idx ON merchant_branding USING btree (logo_id);
CREATE INDEX orders_due ON orders USING btree (expires_at) WHERE (status = 'PENDING'::order_status);
CREATE UNIQUE INDEX orders_id_mode_key ON orders USING btree (id, mode);
CREATE INDEX orders_merchant_id_mode_created_at_id_idx ON orders USING btree (merchant_id, mode, created_at DESC, id DESC);
CREATE INDEX orders_merchant_id_mode_reference_created_at_id_state_idx ON orders USING btree (merchant_id, mode, reference, created_at DESC, id DESC, state);
CREATE INDEX orders_merchant_id_mode_state_created_at_id_idx ON orders USING btree (merchant_id, mode, state, created_at DESC, id DESC);
CREATE UNIQUE INDEX orders_one_per_payment ON orders USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE UNIQUE INDEX orders_quote_id_mode_key ON orders USING btree (quote_id, mode);
CREATE UNIQUE INDEX orders_token_key ON orders USING btree (token);
CREATE UNIQUE INDEX orders_trx_id_key ON orders USING btree (trx_id);
CREATE INDEX payouts_merchant_id_mode_created_at_id_idx ON payouts USING btree (merchant_id, mode, created_at DESC, id DESC);
CREATE UNIQUE INDEX payouts_merchant_id_mode_reference_key ON payouts USING btree (merchant_id, mode, reference);
CREATE UNIQUE INDEX payouts_one_per_hold ON payouts USING btree (hold_transfer_id) WHERE (hold_transfer_id IS NOT NULL);
CREATE UNIQUE INDEX payouts_one_per_transfer ON payouts USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE INDEX payouts_pending ON payouts USING btree (created_at) WHERE (status = 'pending'::payout_status);
CREATE UNIQUE INDEX payouts_quote_id_mode_key ON payouts USING btree (quote_id, mode);
CREATE UNIQUE INDEX payouts_trx_id_key ON payouts USING btree (trx_id);
CREATE INDEX pin_failures_stale_at_idx ON pin_failures USING btree (stale_at);
CREATE UNIQUE INDEX quotes_id_mode_key ON quotes USING btree (id, mode);
CREATE INDEX quotes_unused ON quotes USING btree (expires_at) WHERE (used_at IS NULL);
CREATE UNIQUE INDEX receivers_id_mode_key ON receivers USING btree (id, mode);
CREATE INDEX receivers_lagging ON receivers USING btree (id) WHERE deliveries_lag;
CREATE INDEX receivers_merchant_id_mode_idx ON receivers USING btree (merchant_id, mode);
CREATE UNIQUE INDEX receivers_one_per_address ON receivers USING btree (merchant_id, mode, address) WHERE (removed_at IS NULL);
CREATE INDEX refunds_merchant_id_mode_created_at_id_idx ON refunds USING btree (merchant_id, mode, created_at DESC, id DESC);
CREATE INDEX refunds_merchant_id_mode_status_created_at_id_idx ON refunds USING btree (merchant_id, mode, status, created_at DESC, id DESC);
CREATE UNIQUE INDEX refunds_one_per_hold ON refunds USING btree (hold_transfer_id) WHERE (hold_transfer_id IS NOT NULL);
CREATE UNIQUE INDEX refunds_one_per_transfer ON refunds USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE INDEX refunds_order_id_created_at_id_status_idx ON refunds USING btree (order_id, created_at DESC, id DESC, status);
CREATE INDEX refunds_pending ON refunds USING btree (created_at) WHERE (status = 'pending'::refund_status);
CREATE UNIQUE INDEX shopper_quotes_id_mode_key ON shopper_quotes USING btree (id, mode);
CREATE INDEX shopper_quotes_order_id_wallet_user_id_created_at_idx ON shopper_quotes USING btree (order_id, wallet_user_id, created_at DESC);
CREATE INDEX shopper_quotes_unused ON shopper_quotes USING btree (expires_at) WHERE (used_at IS NULL);
CREATE INDEX timeline_entries_created_at_idx ON timeline_entries USING btree (created_at);
CREATE INDEX timeline_entries_merchant_id_mode_id_idx ON timeline_entries USING btree (merchant_id, mode, id DESC);
CREATE UNIQUE INDEX transfers_id_mode_key ON transfers USING btree (id, mode);
CREATE UNIQUE INDEX transfers_mode_external_reference_key ON transfers USING btree (mode, external_reference);
CREATE INDEX wallet_sessions_expires_at_idx ON wallet_sessions USING btree (expires_at);
CREATE UNIQUE INDEX wallet_sessions_previous_token_hash_key ON wallet_sessions USING btree (previous_token_hash);
CREATE UNIQUE INDEX wallet_sessions_token_hash_key ON wallet_sessions USING btree (token_hash);
CREATE INDEX wallet_sessions_wallet_user_id_mode_idx ON wallet_sessions USING btree (wallet_user_id, mode);
CREATE UNIQUE INDEX wallet_users_id_mode_key ON wallet_users USING btree (id, mode);
CREATE UNIQUE INDEX wallet_users_mode_email_key ON wallet_users USING btree (mode, email);
CREATE UNIQUE INDEX wallet_users_mode_phone_key ON wallet_users USING btree (mode, phone);
CREATE UNIQUE INDEX wallet_users_test_of_merchant_id_key ON wallet_users USING btree (test_of_merchant_id);
ALTER TABLE accounts ADD CONSTRAINT accounts_currency_fkey FOREIGN KEY (currency) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE accounts ADD CONSTRAINT accounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE accounts ADD CONSTRAINT accounts_wallet_user_id_mode_fkey FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE approval_requests ADD CONSTRAINT approval_requests_account_id_mode_currency_fkey FOREIGN KEY (account_id, mode, currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE approval_requests ADD CONSTRAINT approval_requests_currency_fkey FOREIGN KEY (currency) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE approval_requests ADD CONSTRAINT approval_requests_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE approval_requests ADD CONSTRAINT approval_requests_requested_by_id_fkey FOREIGN KEY (requested_by_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE approval_requests ADD CONSTRAINT approval_requests_transfer_id_mode_fkey FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE attempts ADD CONSTRAINT attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE audit_records ADD CONSTRAINT audit_records_administrator_id_fkey FOREIGN KEY (administrator_id) REFERENCES console_users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE audit_records ADD CONSTRAINT audit_records_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE console_users ADD CONSTRAINT console_users_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE credentials ADD CONSTRAINT credentials_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE credentials ADD CONSTRAINT credentials_replaces_id_merchant_id_mode_fkey FOREIGN KEY (replaces_id, merchant_id, mode) REFERENCES credentials(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE day_counts ADD CONSTRAINT day_counts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_credential_id_mode_fkey FOREIGN KEY (credential_id, mode) REFERENCES credentials(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_event_id_mode_fkey FOREIGN KEY (event_id, mode) REFERENCES events(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_receiver_id_mode_fkey FOREIGN KEY (receiver_id, mode) REFERENCES receivers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE entries ADD CONSTRAINT entries_account_id_mode_currency_fkey FOREIGN KEY (account_id, mode, currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE entries ADD CONSTRAINT entries_transfer_id_mode_fkey FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE events ADD CONSTRAINT events_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE events ADD CONSTRAINT events_order_id_mode_fkey FOREIGN KEY (order_id, mode) REFERENCES orders(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE exchange_rates ADD CONSTRAINT exchange_rates_base_fkey FOREIGN KEY (base) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE exchange_rates ADD CONSTRAINT exchange_rates_quote_fkey FOREIGN KEY (quote) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE fee_schedules ADD CONSTRAINT fee_schedules_currency_fkey FOREIGN KEY (currency) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE fee_schedules ADD CONSTRAINT fee_schedules_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE lookup_tokens ADD CONSTRAINT lookup_tokens_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE lookup_tokens ADD CONSTRAINT lookup_tokens_wallet_user_id_mode_fkey FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE merchant_branding ADD CONSTRAINT merchant_branding_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE orders ADD CONSTRAINT orders_credential_id_merchant_id_mode_fkey FOREIGN KEY (credential_id, merchant_id, mode) REFERENCES credentials(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE orders ADD CONSTRAINT orders_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE orders ADD CONSTRAINT orders_payer_account_id_mode_payer_currency_fkey FOREIGN KEY (payer_account_id, mode, payer_currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE orders ADD CONSTRAINT orders_quote_id_mode_fkey FOREIGN KEY (quote_id, mode) REFERENCES shopper_quotes(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE orders ADD CONSTRAINT orders_transfer_id_mode_fkey FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE payout_terms ADD CONSTRAINT payout_terms_currency_fkey FOREIGN KEY (currency) REFERENCES currencies(code) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE payout_terms ADD CONSTRAINT payout_terms_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE payout_usage ADD CONSTRAINT payout_usage_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE payouts ADD CONSTRAINT payouts_hold_transfer_id_mode_fkey FOREIGN KEY (hold_transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE payouts ADD CONSTRAINT payouts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE payouts ADD CONSTRAINT payouts_quote_id_mode_fkey FOREIGN KEY (quote_id, mode) REFERENCES quotes(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE payouts ADD CONSTRAINT payouts_recipient_account_id_mode_receiver_currency_fkey FOREIGN KEY (recipient_account_id, mode, receiver_currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE payouts ADD CONSTRAINT payouts_transfer_id_mode_fkey FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE payouts ADD CONSTRAINT payouts_wallet_user_id_mode_fkey FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE quotes ADD CONSTRAINT quotes_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE quotes ADD CONSTRAINT quotes_wallet_user_id_mode_fkey FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE receivers ADD CONSTRAINT receivers_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE refunds ADD CONSTRAINT refunds_hold_transfer_id_mode_fkey FOREIGN KEY (hold_transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE refunds ADD CONSTRAINT refunds_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE refunds ADD CONSTRAINT refunds_order_id_mode_fkey FOREIGN KEY (order_id, mode) REFERENCES orders(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE refunds ADD CONSTRAINT refunds_transfer_id_mode_fkey FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE shopper_quotes ADD CONSTRAINT shopper_quotes_account_id_mode_payer_currency_fkey FOREIGN KEY (account_id, mode, payer_currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE shopper_quotes ADD CONSTRAINT shopper_quotes_order_id_mode_fkey FOREIGN KEY (order_id, mode) REFERENCES orders(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE shopper_quotes ADD CONSTRAINT shopper_quotes_wallet_user_id_mode_fkey FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE span_counts ADD CONSTRAINT span_counts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE timeline_entries ADD CONSTRAINT timeline_entries_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE timeline_entries ADD CONSTRAINT timeline_entries_receiver_id_mode_fkey FOREIGN KEY (receiver_id, mode) REFERENCES receivers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE transfers ADD CONSTRAINT transfers_corrects_mode_fkey FOREIGN KEY (corrects, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE wallet_sessions ADD CONSTRAINT wallet_sessions_wallet_user_id_mode_fkey FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE wallet_users ADD CONSTRAINT wallet_users_test_of_merchant_id_fkey FOREIGN KEY (test_of_merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;

CREATE FUNCTION account_of(p_mode mode, p_currency text, p_kind account_kind, p_merchant_id uuid DEFAULT NULL::uuid) RETURNS uuid LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier account_of''; END';
CREATE FUNCTION audit_hash(r audit_records) RETURNS bytea LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier audit_hash''; END';
CREATE FUNCTION book_entries() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier book_entries''; END';
CREATE FUNCTION book_funds(p_transfer_id uuid, p_kind transfer_kind, p_wallet accounts, p_house account_kind, p_amount bigint, p_external_reference text) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier book_funds''; END';
CREATE FUNCTION book_refund() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier book_refund''; END';
CREATE FUNCTION book_transfer(p_transfer_id uuid, p_mode mode, p_kind transfer_kind, p_external_reference text, p_lines transfer_line[]) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier book_transfer''; END';
CREATE FUNCTION cancel_order(p_order_id text, p_mode mode) RETURNS orders LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier cancel_order''; END';
CREATE FUNCTION chain_audit_record() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier chain_audit_record''; END';
CREATE FUNCTION change_receiver_state() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier change_receiver_state''; END';
CREATE FUNCTION claim_idempotency_key(p_merchant_id uuid, p_mode mode, p_operation text, p_key text, p_request_hash bytea, p_resource_id text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier claim_idempotency_key''; END';
CREATE FUNCTION count_day(p_merchant_id uuid, p_mode mode, p_kind counted_kind, p_created_at timestamp with time zone, p_before text, p_after text) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier count_day''; END';
CREATE FUNCTION count_order() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier count_order''; END';
CREATE FUNCTION count_pin(p_counters pin_counter[]) RETURNS integer LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier count_pin''; END';
CREATE FUNCTION count_refund() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier count_refund''; END';
CREATE FUNCTION create_order(p_id text, p_token text, p_merchant_id uuid, p_mode mode, p_credential_id uuid, p_amount bigint, p_currency text, p_payment_method payment_method, p_reference text, p_description text, p_terminal_id text, p_order_number text, p_custom text, p_callback_url text, p_return_url text, p_cancel_url text, p_expires_in_seconds integer, p_operation text, p_idempotency_key text, p_request_hash bytea, OUT replayed boolean, OUT result orders) LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier create_order''; END';
CREATE FUNCTION decide_payout(p_payout_id text, p_approve boolean, p_trx_id text, p_transfer_id uuid, p_administrator_id uuid, p_reason text) RETURNS payouts LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier decide_payout''; END';
CREATE FUNCTION decide_refund(p_refund_id text, p_approve boolean, p_transfer_id uuid, p_administrator_id uuid, p_reason text) RETURNS refunds LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier decide_refund''; END';
CREATE FUNCTION decide_request(p_request_id uuid, p_approve boolean, p_transfer_id uuid, p_administrator_id uuid) RETURNS approval_requests LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier decide_request''; END';
CREATE FUNCTION emit_event(p_order orders, p_name text, p_data json) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier emit_event''; END';
CREATE FUNCTION emit_order_event(p_order orders, p_name text) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier emit_order_event''; END';
CREATE FUNCTION emit_payout_event(p payouts, p_name text) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier emit_payout_event''; END';
CREATE FUNCTION emit_refund_event(p_order orders, p_refund refunds, p_name text) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier emit_refund_event''; END';
CREATE FUNCTION execute_payout(p_payout_id text, p_merchant_id uuid, p_mode mode, p_idempotency_key text, p_reference text, p_quote_id uuid, p_wallet_user_id uuid, p_recipient_account_id uuid, p_amount bigint, p_sender_currency text, p_fee bigint, p_rate numeric, p_receiver_amount bigint, p_receiver_currency text, p_description text, p_trx_id text, p_transfer_id uuid, p_needs_approval boolean, OUT replayed boolean, OUT result payouts) LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier execute_payout''; END';
CREATE FUNCTION expire_due_orders(p_limit integer) RETURNS SETOF text LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier expire_due_orders''; END';
CREATE FUNCTION expire_order(p_order_id text, p_mode mode) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier expire_order''; END';
CREATE FUNCTION follow_receiver_state(p_limit integer) RETURNS integer LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier follow_receiver_state''; END';
CREATE FUNCTION forgive_pin(p_account bytea, p_address bytea) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier forgive_pin''; END';
CREATE FUNCTION give_back_usage(p payouts, p_period usage_period) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier give_back_usage''; END';
CREATE FUNCTION guard_account() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_account''; END';
CREATE FUNCTION guard_approval_request() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_approval_request''; END';
CREATE FUNCTION guard_credential() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_credential''; END';
CREATE FUNCTION guard_currency() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_currency''; END';
CREATE FUNCTION guard_event_retention() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_event_retention''; END';
CREATE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_order''; END';
CREATE FUNCTION guard_payout() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_payout''; END';
CREATE FUNCTION guard_quote() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_quote''; END';
CREATE FUNCTION guard_refund() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_refund''; END';
CREATE FUNCTION guard_shopper_quote() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_shopper_quote''; END';
CREATE FUNCTION hold_delivery(p_delivery uuid) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier hold_delivery''; END';
CREATE FUNCTION keep_event() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier keep_event''; END';
CREATE FUNCTION lock_payable_order(p_order_id text, p_mode mode) RETURNS orders LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier lock_payable_order''; END';
CREATE FUNCTION move_between_wallets(p_transfer_id uuid, p_mode mode, p_kind transfer_kind, p_currency text, p_from uuid, p_to uuid, p_amount bigint, p_external_reference text) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier move_between_wallets''; END';
CREATE FUNCTION move_funds(p_kind transfer_kind, p_account_id uuid, p_house account_kind, p_amount bigint, p_external_reference text, p_transfer_id uuid, p_request_id uuid, p_administrator_id uuid, OUT outcome text, OUT id uuid) LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier move_funds''; END';
CREATE FUNCTION open_hold_account() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier open_hold_account''; END';
CREATE FUNCTION pay_order(p_order_id text, p_mode mode, p_payer_account_id uuid, p_trx_id text, p_transfer_id uuid, p_top_up_transfer_id uuid) RETURNS orders LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier pay_order''; END';
CREATE FUNCTION pay_order_by_quote(p_order_id text, p_mode mode, p_quote_id uuid, p_wallet_user_id uuid, p_trx_id text, p_transfer_id uuid) RETURNS orders LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier pay_order_by_quote''; END';
CREATE FUNCTION payer_share(o orders, p_amount bigint) RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier payer_share''; END';
CREATE FUNCTION payment_lines_missing(o orders) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier payment_lines_missing''; END';
CREATE FUNCTION payout_lines(p payouts, p_from uuid) RETURNS transfer_line[] LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier payout_lines''; END';
CREATE FUNCTION prune_events(p_days integer, p_limit integer) RETURNS integer LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier prune_events''; END';
CREATE FUNCTION record_change(p_merchant_id uuid, p_administrator_id uuid, p_action text, p_subject text, p_details json) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier record_change''; END';
CREATE FUNCTION record_funds(p_action text, p_wallet accounts, p_amount bigint, p_external_reference text, p_request_id uuid, p_transfer_id uuid, p_administrator_id uuid) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier record_funds''; END';
CREATE FUNCTION record_host(p_host text, p_error_kind text, p_latency_ms integer) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier record_host''; END';
CREATE FUNCTION record_receiver_failure(p_receiver uuid, p_host text, p_kind text, p_http_status integer, p_started_at timestamp with time zone) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier record_receiver_failure''; END';
CREATE FUNCTION record_receiver_success(p_receiver uuid) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier record_receiver_success''; END';
CREATE FUNCTION refund_lines(o orders, p_from uuid, p_amount bigint, p_payer_amount bigint) RETURNS transfer_line[] LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier refund_lines''; END';
CREATE FUNCTION refund_lines_missing(r refunds, o orders) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier refund_lines_missing''; END';
CREATE FUNCTION refund_payment(p_refund_id text, p_merchant_id uuid, p_mode mode, p_trx_id text, p_amount bigint, p_reason text, p_reference text, p_transfer_id uuid, p_idempotency_key text, p_request_hash bytea, OUT replayed boolean, OUT result refunds) LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier refund_payment''; END';
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier refuse_audit_change''; END';
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier refuse_change''; END';
CREATE FUNCTION refuse_payment_to_suspended() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier refuse_payment_to_suspended''; END';
CREATE FUNCTION report_refund(p_refund refunds) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier report_refund''; END';
CREATE FUNCTION require_entries() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier require_entries''; END';
CREATE FUNCTION require_order_report() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier require_order_report''; END';
CREATE FUNCTION require_payout_report() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier require_payout_report''; END';
CREATE FUNCTION require_refund_report() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier require_refund_report''; END';
CREATE FUNCTION set_single_limit(p_currency text, p_limit bigint, p_request_id uuid, p_administrator_id uuid, OUT outcome text, OUT id uuid) LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier set_single_limit''; END';
CREATE FUNCTION settle_attempt(p_delivery uuid, p_number integer, p_status delivery_status, p_next_delay_ms double precision, p_given_up_because text, p_address text, p_host text, p_started_at timestamp with time zone, p_latency_ms integer, p_http_status integer, p_error_kind text, p_answer_start text, p_request_headers json) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier settle_attempt''; END';
CREATE FUNCTION settle_payment(o orders, p_payer_account_id uuid, p_payer_currency text, p_payer_amount bigint, p_quote_id uuid, p_trx_id text, p_transfer_id uuid) RETURNS orders LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier settle_payment''; END';
CREATE FUNCTION settle_payout(p_payout_id text, p_approve boolean, p_trx_id text, p_transfer_id uuid) RETURNS payouts LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier settle_payout''; END';
CREATE FUNCTION settle_refund(p_refund_id text, p_approve boolean, p_transfer_id uuid) RETURNS refunds LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier settle_refund''; END';
CREATE FUNCTION span_of(p_created_at timestamp with time zone) RETURNS timestamp with time zone LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier span_of''; END';
CREATE FUNCTION take_usage(p payouts, p_period usage_period, p_limit bigint, p_refusal text) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier take_usage''; END';
CREATE FUNCTION wire_amount(p_minor bigint, p_digits smallint) RETURNS numeric LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier wire_amount''; END';
CREATE FUNCTION wire_time(p_time timestamp with time zone) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier wire_time''; END';
CREATE FUNCTION write_deliveries() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier write_deliveries''; END';
CREATE TRIGGER accounts_are_guarded BEFORE INSERT OR UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION guard_account();
CREATE TRIGGER accounts_are_kept BEFORE DELETE OR TRUNCATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approval_requests_are_guarded BEFORE UPDATE ON approval_requests FOR EACH ROW EXECUTE FUNCTION guard_approval_request();
CREATE TRIGGER approval_requests_are_kept BEFORE DELETE OR TRUNCATE ON approval_requests FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_records_are_chained BEFORE INSERT ON audit_records FOR EACH ROW EXECUTE FUNCTION chain_audit_record();
CREATE TRIGGER audit_records_are_final BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_records FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER credentials_are_guarded BEFORE UPDATE ON credentials FOR EACH ROW EXECUTE FUNCTION guard_credential();
CREATE TRIGGER currencies_are_guarded BEFORE UPDATE ON currencies FOR EACH ROW WHEN ((old.digits <> new.digits)) EXECUTE FUNCTION guard_currency();
CREATE TRIGGER entries_are_booked AFTER INSERT ON entries REFERENCING NEW TABLE AS booked FOR EACH STATEMENT EXECUTE FUNCTION book_entries();
CREATE TRIGGER entries_are_final BEFORE DELETE OR UPDATE OR TRUNCATE ON entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER event_retention_is_guarded BEFORE INSERT OR DELETE OR UPDATE ON event_retention FOR EACH ROW EXECUTE FUNCTION guard_event_retention();
CREATE TRIGGER event_retention_is_kept BEFORE TRUNCATE ON event_retention FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_are_delivered AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION write_deliveries();
CREATE TRIGGER events_are_final BEFORE UPDATE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_are_kept BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION keep_event();
CREATE TRIGGER orders_are_guarded BEFORE INSERT OR UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION guard_order();
CREATE TRIGGER orders_are_kept BEFORE DELETE OR TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER orders_are_payable BEFORE UPDATE ON orders FOR EACH ROW WHEN (((old.status <> 'PAID'::order_status) AND (new.status = 'PAID'::order_status))) EXECUTE FUNCTION refuse_payment_to_suspended();
CREATE CONSTRAINT TRIGGER orders_are_reported AFTER UPDATE ON orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION require_order_report();
CREATE TRIGGER orders_changed_are_counted AFTER UPDATE ON orders FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION count_order();
CREATE TRIGGER orders_inserted_are_counted AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION count_order();
CREATE TRIGGER payouts_are_guarded BEFORE UPDATE ON payouts FOR EACH ROW EXECUTE FUNCTION guard_payout();
CREATE TRIGGER payouts_are_kept BEFORE DELETE OR TRUNCATE ON payouts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER payouts_are_reported AFTER INSERT OR UPDATE ON payouts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.status <> 'pending'::payout_status)) EXECUTE FUNCTION require_payout_report();
CREATE TRIGGER quotes_are_guarded BEFORE UPDATE ON quotes FOR EACH ROW EXECUTE FUNCTION guard_quote();
CREATE TRIGGER receivers_change_state BEFORE UPDATE ON receivers FOR EACH ROW EXECUTE FUNCTION change_receiver_state();
CREATE TRIGGER refunds_are_booked AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION book_refund();
CREATE TRIGGER refunds_are_guarded BEFORE UPDATE ON refunds FOR EACH ROW EXECUTE FUNCTION guard_refund();
CREATE TRIGGER refunds_are_kept BEFORE DELETE OR TRUNCATE ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER refunds_are_reported AFTER INSERT OR UPDATE ON refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.status <> 'pending'::refund_status)) EXECUTE FUNCTION require_refund_report();
CREATE TRIGGER refunds_are_settled AFTER UPDATE ON refunds FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION book_refund();
CREATE TRIGGER refunds_inserted_are_counted AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION count_refund();
CREATE TRIGGER refunds_settled_are_counted AFTER UPDATE ON refunds FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION count_refund();
CREATE TRIGGER shopper_quotes_are_guarded BEFORE INSERT OR UPDATE ON shopper_quotes FOR EACH ROW EXECUTE FUNCTION guard_shopper_quote();
CREATE TRIGGER transfers_are_final BEFORE DELETE OR UPDATE OR TRUNCATE ON transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER transfers_have_entries AFTER INSERT ON transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_entries();
CREATE TRIGGER wallets_come_with_a_hold AFTER INSERT ON accounts FOR EACH ROW WHEN ((new.kind = 'merchant'::account_kind)) EXECUTE FUNCTION open_hold_account();
