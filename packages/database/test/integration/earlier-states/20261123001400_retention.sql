-- A database of the state 20261123001400_retention, with money in it. Its functions answer nothing here: only that they were there counts.

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
CREATE SEQUENCE attempts_id_seq;
CREATE SEQUENCE audit_records_id_seq;
CREATE SEQUENCE entries_id_seq;
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
  CONSTRAINT wallet_sessions_pkey PRIMARY KEY (id)
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
  CONSTRAINT orders_pkey PRIMARY KEY (id),
  CONSTRAINT orders_amount CHECK (((amount >= 1) AND (amount <= '10000000000000'::bigint))),
  CONSTRAINT orders_paid_completely CHECK (((status = 'PAID'::order_status) = ((paid_at IS NOT NULL) AND (trx_id IS NOT NULL) AND (transfer_id IS NOT NULL) AND (payer_account_id IS NOT NULL)))),
  CONSTRAINT orders_refunds_within_payment CHECK (((refunded >= 0) AND (refund_pending >= 0) AND ((refunded + refund_pending) <= amount))),
  CONSTRAINT orders_state_is_derived CHECK ((state =
CASE
    WHEN (status <> 'PAID'::order_status) THEN ((status)::text)::order_state
    WHEN (refunded = amount) THEN 'REFUNDED'::order_state
    WHEN (refund_pending > 0) THEN 'REFUND_PENDING'::order_state
    ELSE 'PAID'::order_state
END)),
  CONSTRAINT orders_unpaid_without_payment CHECK (((status = 'PAID'::order_status) OR ((paid_at IS NULL) AND (trx_id IS NULL) AND (transfer_id IS NULL) AND (payer_account_id IS NULL) AND (refunded = 0) AND (refund_pending = 0)))),
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
  CONSTRAINT refunds_pkey PRIMARY KEY (id),
  CONSTRAINT refunds_amount CHECK ((amount > 0)),
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

ALTER SEQUENCE entries_id_seq OWNED BY entries.id;
ALTER SEQUENCE attempts_id_seq OWNED BY attempts.id;
ALTER SEQUENCE audit_records_id_seq OWNED BY audit_records.id;
ALTER SEQUENCE timeline_entries_id_seq OWNED BY timeline_entries.id;

INSERT INTO _prisma_migrations ("id", "checksum", "finished_at", "migration_name", "logs", "rolled_back_at", "started_at", "applied_steps_count") VALUES
  ('0c492efb-f4d3-423c-98ce-fad830b0c798', '275561de499fbd2b8531488a25855c05358974670e4d89478eb40f0909020cb5', '2026-11-22 10:14:48.917587+00', '20261122000100_payout_rules', NULL, NULL, '2026-11-22 10:14:48.857459+00', '1'),
  ('0e65d925-7df3-4fbd-bb60-272fe5842b28', '52418bccae6de23d63879552da087834d38f83ce7d10b2914b111a569eb61f26', '2026-11-22 10:14:49.163885+00', '20261122000920_decide_with_audit', NULL, NULL, '2026-11-22 10:14:49.162689+00', '1'),
  ('10ce1e36-a257-4bf2-92bf-9c99e5a23d4d', '8bb6a9ad0697d85bcf3e34010f0e44e8c21ca24b2d72a41f86111496ab0d4cda', '2026-11-22 10:14:49.245416+00', '20261123000100_suspended_merchants', NULL, NULL, '2026-11-22 10:14:49.236603+00', '1'),
  ('21773421-9f77-4b68-89e6-b7c0fffdbf7e', '12753edea2d541e77c2bdc3914deb97624aa536b8a4c0db3a113fdaaa37200c7', '2026-11-22 10:14:48.568573+00', '20261121000300_order_rules', NULL, NULL, '2026-11-22 10:14:48.532863+00', '1'),
  ('22836333-ed35-4871-b1c6-c987d8a46911', '43167659e6f5da312dea2652e44a0c2bfbf82e3bfe42b3eb9fc09a7a781960bb', '2026-11-22 10:14:48.597365+00', '20261121000700_create_order', NULL, NULL, '2026-11-22 10:14:48.594561+00', '1'),
  ('25917bdf-1dbb-4181-aed0-99e2e05ee024', '46e2445440b417a1c4ba02f5a4ae190b8051a3f1b8323ef18797a4901b31d573', '2026-11-22 10:14:48.949154+00', '20261122000400_execute_payout', NULL, NULL, '2026-11-22 10:14:48.941452+00', '1'),
  ('2b9b1ba7-b747-4391-b3c1-e78d45bf7f6d', '16f033c3032f157dfe372005f593646bae24b4ac20bf24a1e1a37a4b2884d5bb', '2026-11-22 10:14:48.588916+00', '20261121000500_events', NULL, NULL, '2026-11-22 10:14:48.577911+00', '1'),
  ('37e65013-dc5f-41f0-8da0-b061d562af1a', '5e5aa368061538d4505c1e6dcdcbbbad58008b248751c1a495d358ddeff60ba5', '2026-11-22 10:14:48.593575+00', '20261121000600_claim_idempotency_key', NULL, NULL, '2026-11-22 10:14:48.589812+00', '1'),
  ('3be2ce3e-6b18-4cb8-8840-e64b856edf32', '76ea19693a466fab2f3d14d526d83d39d58469d8320a244e1d20abb5571bca5c', '2026-11-22 10:14:48.528541+00', '20261121000200_entry_rules', NULL, NULL, '2026-11-22 10:14:48.51969+00', '1'),
  ('3d79ead5-80b1-45bf-b981-49f3b525cd05', 'ec79c448267de97d725c0088dfe395ad1ad5cb6ab8f4881143a98e65038dff21', '2026-11-22 10:14:49.012875+00', '20261122000800_credential_rotation', NULL, NULL, '2026-11-22 10:14:48.975967+00', '1'),
  ('3db69319-471c-4d9b-86a6-3408616c0a50', '8af9618e327cf637ab47374f8fac18483e5e87f803c3eca4daa4a42409e679c0', '2026-11-22 10:14:49.249694+00', '20261123001000_held_deliveries', NULL, NULL, '2026-11-22 10:14:49.249081+00', '1'),
  ('414899ad-2b03-4030-8460-8a72e0d0e8f2', '8a1467fc9608b3fe9ebb18985e856d2b1db9dc513abf9992d44d7dfc8f7cfffb', '2026-11-22 10:14:49.411334+00', '20261123001200_settle_attempt', NULL, NULL, '2026-11-22 10:14:49.406277+00', '1'),
  ('4250d245-e983-4b2d-afbd-10ed19571ba3', '49d99c184e11f210cd459709f04f9b4cb96aded7ac3e7c905a6335ecfdb970ca', '2026-11-22 10:14:49.230825+00', '20261123000000_list_pages', NULL, NULL, '2026-11-22 10:14:49.164742+00', '1'),
  ('4386856c-9e84-4dc2-9c10-05113939c4e6', 'a7af257a2837f7926757cedd1ec57fdd35b30bc5f6b1e8f1575a8d7eb09fe5ec', '2026-11-22 10:14:48.618558+00', '20261121001000_pay_order', NULL, NULL, '2026-11-22 10:14:48.617276+00', '1'),
  ('5fd9217f-6d27-4e4f-b909-bbb0acd3de08', '0a0c7490617f094e3481dd00fa332995a7598b8e537532115cb27d9f23faf003', '2026-11-22 10:14:48.57706+00', '20261121000400_day_counts', NULL, NULL, '2026-11-22 10:14:48.569636+00', '1'),
  ('610f67ab-b3e3-494f-9d0f-edd96e474457', 'c1324aa6023ce443dcaf7ed604a4bba7ffd1f119efb5d2f08bb385ba822ff028', '2026-11-22 10:14:48.92814+00', '20261122000200_book_transfer', NULL, NULL, '2026-11-22 10:14:48.925174+00', '1'),
  ('679b9cf2-6d2c-46dd-8511-a169dcb3e090', '0fa8cd8d57482740caee7c7fb026f6816f1bfb694ed376f6986635cd696c315e', '2026-11-22 10:14:48.518462+00', '20261121000100_account_rules', NULL, NULL, '2026-11-22 10:14:48.465439+00', '1'),
  ('7c44ca25-1fd9-4955-8c5b-3b77594a3e39', 'a9a2a45547a77dd580330d0ee7b21dfb1f94c038557052e4a9b0c63c8ac2d0fe', '2026-11-22 10:14:48.624672+00', '20261121001100_cancel_order', NULL, NULL, '2026-11-22 10:14:48.619298+00', '1'),
  ('7dd3cc70-efe7-4dec-9502-2cb7eafe3f3c', 'b4135436c278d30907aab15e764b2e9fd340e9eef60287b1df9a43bcd24c80f6', '2026-11-22 10:14:48.629461+00', '20261121001300_refund_payment', NULL, NULL, '2026-11-22 10:14:48.627439+00', '1'),
  ('8e7fda08-11fc-4897-a862-de0384aaf350', '116f637c8f4cfe2e818b906f4b2b78f093a0eaf5a2bdbf3cc5c8edbf98ac1010', '2026-11-22 10:14:49.452734+00', '20261123001300_delivery_hosts', NULL, NULL, '2026-11-22 10:14:49.415225+00', '1'),
  ('93a9477a-6c46-4f22-850e-a2224b97c2db', '337fcee0edb403b95cfec2d4c20fb7ceb0f5840afa1baa41a6826cd485aa5b52', '2026-11-22 10:14:49.404852+00', '20261123001100_receiver_health', NULL, NULL, '2026-11-22 10:14:49.250212+00', '1'),
  ('a40f5559-9f3c-4d18-823f-dbf61353675b', '592f0b35db450a8fb5ba343b78a5d97d41dfd4b3850a0fe172b2aca1b8c1ebca', '2026-11-22 10:14:48.648714+00', '20261121001400_rate_limits', NULL, NULL, '2026-11-22 10:14:48.632423+00', '1'),
  ('b18b499a-6e52-416e-a914-ad83f37bb0a9', '8ac05e321cdb949adf6cc81cfc3135f8b9e42a3632446471ccb9ce3f243f4726', '2026-11-22 10:14:48.610034+00', '20261121000800_lock_payable_order', NULL, NULL, '2026-11-22 10:14:48.608678+00', '1'),
  ('cd839b82-d361-4b86-83bf-0a26f70ce98b', '8e6e4983756676bb9368567371818d44742352cee0f5e857b03bbaea0612b5ac', '2026-11-22 10:14:48.933092+00', '20261122000300_payout_events', NULL, NULL, '2026-11-22 10:14:48.929398+00', '1'),
  ('d1c4fe0f-2abc-40f9-9f72-79e137bf32ce', 'b38c49b2737ec3292bf3c04950852fc6653f89737a58e3d2bac1244d88c86cc7', '2026-11-22 10:14:48.97361+00', '20261122000700_create_order_by_operation', NULL, NULL, '2026-11-22 10:14:48.96954+00', '1'),
  ('dae1300e-6f16-4f52-bf9c-e27642f1eb7f', 'da15ce069751d760cfb1c9d4d94933c79b3c9e810a3e38f677e0bb97da778885', '2026-11-22 10:14:49.482294+00', '20261123001400_retention', NULL, NULL, '2026-11-22 10:14:49.454076+00', '1'),
  ('de4640cf-7d68-4c52-975c-e0caedb0b31b', '75fd42298b0e1a28e46de37ebb158f7f2d877fcb32b861f272cf17b31bfa3344', '2026-11-22 10:14:48.458947+00', '20261121000000_tables', NULL, NULL, '2026-11-22 10:14:47.816705+00', '1'),
  ('e24f3bf1-8c86-4c60-bec5-a0341ce7a1a9', '3c87bf12c71ec2c88ae000004150b0f2ed6738e9cb1977f690bb14dad3957830', '2026-11-22 10:14:48.960577+00', '20261122000600_refund_with_approval', NULL, NULL, '2026-11-22 10:14:48.955577+00', '1'),
  ('e6ac8807-ce9f-4cf1-ab16-da33b76e2340', 'd25bf004eedb23114c6fc5f57bfbf3482afb30ef7747d661cdf4edcd07d1c08e', '2026-11-22 10:14:49.161211+00', '20261122000910_approval_requests', NULL, NULL, '2026-11-22 10:14:49.068568+00', '1'),
  ('f40f01ed-1bbd-480b-9920-2686cdab76c3', '24cc76def9d02341982f4c40eba24f6ea2f81062392dae26d1166218f100d0ed', '2026-11-22 10:14:48.954562+00', '20261122000500_settle_payout', NULL, NULL, '2026-11-22 10:14:48.953311+00', '1'),
  ('fc308b6e-06af-4492-81cf-a07b762f5ec3', '30cbe1cd4c1a4572f6d9ee988030ce1f78c8b9c5c3c8ad89c13621f5e412ab94', '2026-11-22 10:14:48.611847+00', '20261121000900_move_between_wallets', NULL, NULL, '2026-11-22 10:14:48.610867+00', '1'),
  ('feb12761-13fa-4588-aca8-6271c7cf9a85', 'fc82c834905f873edeef4a3a9bc270de4084836c32543c8a08dcdd23e2e4efd2', '2026-11-22 10:14:48.626723+00', '20261121001200_expire_orders', NULL, NULL, '2026-11-22 10:14:48.62569+00', '1'),
  ('feed3b70-cda9-4b32-9ce0-6615fed0697e', 'c91d228ddd21af13fbaa0f4dd7bb739dab6e11f034f4ee51dda4859e4ad5b88f', '2026-11-22 10:14:48.631601+00', '20261121001400_changes_are_reported', NULL, NULL, '2026-11-22 10:14:48.630206+00', '1'),
  ('fefd43e4-7076-4df2-a218-2302d80fa24c', 'af42c95e1c06c487e127f261976c20ead67f98bf2881a7488f7a68d293a81adb', '2026-11-22 10:14:49.065077+00', '20261122000900_audit_records', NULL, NULL, '2026-11-22 10:14:49.01732+00', '1'),
  ('ff285662-9c04-4a7c-934b-caa28621d392', '88e42c580c77591c9ad841e78d1a9b7302162f0ebee525cc8fbf6696aa540e9f', '2026-11-22 10:14:48.849114+00', '20261122000000_payout_tables', NULL, NULL, '2026-11-22 10:14:48.649977+00', '1');
INSERT INTO merchants ("id", "name", "suspended_at", "created_at", "partner_api_enabled", "partner_requests_a_minute", "pay_requests_a_minute", "refunds_need_approval") VALUES
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'Old shop', NULL, '2026-11-22 10:14:49.53641+00', 'false', NULL, NULL, 'false');
INSERT INTO credentials ("id", "merchant_id", "mode", "kind", "client_id", "secret_hash", "secret_ciphertext", "encryption_key_id", "created_at", "revoked_at", "last_used_at", "expires_at", "replaces_id") VALUES
  ('66ee0822-29a7-4905-8991-508c3f49dea4', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'client', 'tg_sandbox_old', E'\\x2abe15cb004fbafdd75f1bb50e8c190a29d47ac3a3dccc5d44fa10d58792dcce', E'\\x2abe15cb004fbafdd75f1bb50e8c190a29d47ac3a3dccc5d44fa10d58792dcce', 'k1', '2026-11-22 10:14:49.538051+00', NULL, NULL, NULL, NULL);
INSERT INTO currencies ("code", "digits", "name", "symbol", "active", "type", "single_administrator_limit") VALUES
  ('EUR', '2', 'Euro', '€', 'true', 'fiat', '0'),
  ('USD', '2', 'US dollar', '$', 'true', 'fiat', '0');
INSERT INTO wallet_users ("id", "mode", "name", "phone", "email", "pin_hash", "active", "test_of_merchant_id", "created_at") VALUES
  ('9752f117-b764-4c2f-9423-10e9291a9670', 'sandbox', 'Old shopper', NULL, 'old@example.com', NULL, 'true', NULL, '2026-11-22 10:14:49.546778+00');
INSERT INTO wallet_sessions ("id", "mode", "wallet_user_id", "token_hash", "created_at", "expires_at", "revoked_at") VALUES
  ('d6fec3d7-b342-4cd5-81cc-fd4163e373a8', 'sandbox', '9752f117-b764-4c2f-9423-10e9291a9670', E'\\x23226ce282e6aa51374a02526ae873e0c70ffb9db6e9b9ed129cebf74842446e', '2026-11-22 10:14:49.549528+00', '2026-11-23 10:14:49.549528+00', NULL);
INSERT INTO accounts ("id", "mode", "currency", "kind", "merchant_id", "wallet_user_id", "balance", "closed_at", "created_at") VALUES
  ('0962cd11-74cf-4f72-b241-1dca91e9be17', 'sandbox', 'EUR', 'shopper', NULL, '9752f117-b764-4c2f-9423-10e9291a9670', '101600', NULL, '2026-11-22 10:14:49.573395+00'),
  ('16b4e703-37b4-499b-bf60-c685984827a5', 'sandbox', 'EUR', 'merchant', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', NULL, '2780', NULL, '2026-11-22 10:14:49.573395+00'),
  ('70467429-07c6-448e-812d-82653ea3a0cc', 'sandbox', 'USD', 'fx', NULL, NULL, NULL, NULL, '2026-11-22 10:14:49.573395+00'),
  ('89007e23-ed89-44e8-a5b5-3084f4cdd5ec', 'sandbox', 'EUR', 'hold', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', NULL, '610', NULL, '2026-11-22 10:14:49.573395+00'),
  ('a1b9adc0-86e3-486b-9b01-2bf18958efef', 'sandbox', 'EUR', 'fees', NULL, NULL, NULL, NULL, '2026-11-22 10:14:49.573395+00'),
  ('b356c389-2688-4af5-9382-9a748af2d9a8', 'sandbox', 'EUR', 'issuing', NULL, NULL, NULL, NULL, '2026-11-22 10:14:49.573395+00'),
  ('cdc359cf-2879-4e07-a32f-366dd68507d6', 'sandbox', 'USD', 'issuing', NULL, NULL, NULL, NULL, '2026-11-22 10:14:49.573395+00'),
  ('d3e1bc83-e968-4030-821c-7b8810d95398', 'sandbox', 'EUR', 'fx', NULL, NULL, NULL, NULL, '2026-11-22 10:14:49.573395+00');
INSERT INTO transfers ("id", "mode", "kind", "corrects", "external_reference", "created_at") VALUES
  ('0737333a-9311-41ca-805b-573f666a9a2f', 'sandbox', 'payment', NULL, NULL, '2026-11-22 10:14:49.806003+00'),
  ('0b3d847c-4d0b-4c10-b270-620ce92c4961', 'sandbox', 'hold', NULL, NULL, '2026-11-22 10:14:50.035037+00'),
  ('2b243219-f9bd-47bd-8505-d7f3136ff363', 'sandbox', 'payment', NULL, NULL, '2026-11-22 10:14:49.783187+00'),
  ('533a1a64-b62e-44ca-bc13-8a0cdd050f11', 'sandbox', 'deposit', NULL, 'opening', '2026-11-22 10:14:49.595573+00'),
  ('5afdd755-1188-4f79-b6d2-0211a1dcaf99', 'sandbox', 'deposit', NULL, 'wire 1', '2026-11-22 10:14:50.085001+00'),
  ('924b255d-122f-4b11-a928-c6441fb92f6b', 'sandbox', 'hold', NULL, NULL, '2026-11-22 10:14:50.062057+00'),
  ('a75f6688-3ce7-4342-a909-113c01ce9ccc', 'sandbox', 'refund', NULL, NULL, '2026-11-22 10:14:49.993458+00'),
  ('a78f884c-f84e-47c9-9950-5233f9a35209', 'sandbox', 'refund', NULL, NULL, '2026-11-22 10:14:49.9697+00'),
  ('e9109126-0388-4fe5-9432-262ccfd442c3', 'sandbox', 'payment', NULL, NULL, '2026-11-22 10:14:50.024043+00'),
  ('e9b45d9c-5d30-4456-ace5-d9626c24bf45', 'sandbox', 'payment', NULL, NULL, '2026-11-22 10:14:49.949444+00'),
  ('fbb5ba2e-f234-414e-ac01-33653bd13de5', 'sandbox', 'payout', NULL, NULL, '2026-11-22 10:14:50.051143+00');
INSERT INTO entries ("id", "transfer_id", "account_id", "mode", "currency", "amount") VALUES
  ('1', '533a1a64-b62e-44ca-bc13-8a0cdd050f11', 'b356c389-2688-4af5-9382-9a748af2d9a8', 'sandbox', 'EUR', '-100000'),
  ('10', 'a78f884c-f84e-47c9-9950-5233f9a35209', '0962cd11-74cf-4f72-b241-1dca91e9be17', 'sandbox', 'EUR', '250'),
  ('11', 'a75f6688-3ce7-4342-a909-113c01ce9ccc', '16b4e703-37b4-499b-bf60-c685984827a5', 'sandbox', 'EUR', '-1250'),
  ('12', 'a75f6688-3ce7-4342-a909-113c01ce9ccc', '0962cd11-74cf-4f72-b241-1dca91e9be17', 'sandbox', 'EUR', '1250'),
  ('13', 'e9109126-0388-4fe5-9432-262ccfd442c3', '0962cd11-74cf-4f72-b241-1dca91e9be17', 'sandbox', 'EUR', '-1250'),
  ('14', 'e9109126-0388-4fe5-9432-262ccfd442c3', '16b4e703-37b4-499b-bf60-c685984827a5', 'sandbox', 'EUR', '1250'),
  ('15', '0b3d847c-4d0b-4c10-b270-620ce92c4961', '16b4e703-37b4-499b-bf60-c685984827a5', 'sandbox', 'EUR', '-500'),
  ('16', '0b3d847c-4d0b-4c10-b270-620ce92c4961', '89007e23-ed89-44e8-a5b5-3084f4cdd5ec', 'sandbox', 'EUR', '500'),
  ('17', 'fbb5ba2e-f234-414e-ac01-33653bd13de5', '16b4e703-37b4-499b-bf60-c685984827a5', 'sandbox', 'EUR', '-110'),
  ('18', 'fbb5ba2e-f234-414e-ac01-33653bd13de5', 'a1b9adc0-86e3-486b-9b01-2bf18958efef', 'sandbox', 'EUR', '10'),
  ('19', 'fbb5ba2e-f234-414e-ac01-33653bd13de5', '0962cd11-74cf-4f72-b241-1dca91e9be17', 'sandbox', 'EUR', '100'),
  ('2', '533a1a64-b62e-44ca-bc13-8a0cdd050f11', '0962cd11-74cf-4f72-b241-1dca91e9be17', 'sandbox', 'EUR', '100000'),
  ('20', '924b255d-122f-4b11-a928-c6441fb92f6b', '16b4e703-37b4-499b-bf60-c685984827a5', 'sandbox', 'EUR', '-110'),
  ('21', '924b255d-122f-4b11-a928-c6441fb92f6b', '89007e23-ed89-44e8-a5b5-3084f4cdd5ec', 'sandbox', 'EUR', '110'),
  ('22', '5afdd755-1188-4f79-b6d2-0211a1dcaf99', 'b356c389-2688-4af5-9382-9a748af2d9a8', 'sandbox', 'EUR', '-5000'),
  ('23', '5afdd755-1188-4f79-b6d2-0211a1dcaf99', '0962cd11-74cf-4f72-b241-1dca91e9be17', 'sandbox', 'EUR', '5000'),
  ('3', '2b243219-f9bd-47bd-8505-d7f3136ff363', '0962cd11-74cf-4f72-b241-1dca91e9be17', 'sandbox', 'EUR', '-1250'),
  ('4', '2b243219-f9bd-47bd-8505-d7f3136ff363', '16b4e703-37b4-499b-bf60-c685984827a5', 'sandbox', 'EUR', '1250'),
  ('5', '0737333a-9311-41ca-805b-573f666a9a2f', '0962cd11-74cf-4f72-b241-1dca91e9be17', 'sandbox', 'EUR', '-1250'),
  ('6', '0737333a-9311-41ca-805b-573f666a9a2f', '16b4e703-37b4-499b-bf60-c685984827a5', 'sandbox', 'EUR', '1250'),
  ('7', 'e9b45d9c-5d30-4456-ace5-d9626c24bf45', '0962cd11-74cf-4f72-b241-1dca91e9be17', 'sandbox', 'EUR', '-1250'),
  ('8', 'e9b45d9c-5d30-4456-ace5-d9626c24bf45', '16b4e703-37b4-499b-bf60-c685984827a5', 'sandbox', 'EUR', '1250'),
  ('9', 'a78f884c-f84e-47c9-9950-5233f9a35209', '16b4e703-37b4-499b-bf60-c685984827a5', 'sandbox', 'EUR', '-250');
INSERT INTO orders ("id", "mode", "merchant_id", "credential_id", "token", "amount", "currency", "payment_method", "status", "state", "reference", "description", "terminal_id", "order_number", "custom", "callback_url", "return_url", "cancel_url", "expires_at", "created_at", "paid_at", "trx_id", "transfer_id", "payer_account_id", "refunded", "refund_pending", "version") VALUES
  ('ord_02edb31c81889c0a201f6eb7', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', '66ee0822-29a7-4905-8991-508c3f49dea4', '31130e20-fd8f-4ab0-a2e0-9db9012dec1d', '1250', 'EUR', 'both', 'CANCELLED', 'CANCELLED', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:49.743215+00', '2026-11-22 10:14:49.743215+00', NULL, NULL, NULL, NULL, '0', '0', '2'),
  ('ord_177ad1636c1fa738af525cfc', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', '66ee0822-29a7-4905-8991-508c3f49dea4', 'd258a265-39da-4956-bad0-09140d1eb03a', '1250', 'EUR', 'both', 'PAID', 'PAID', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:49.747533+00', '2026-11-22 10:14:49.747533+00', '2026-11-22 10:14:49.784127+00', 'TRXaca4d7aa25ee', '2b243219-f9bd-47bd-8505-d7f3136ff363', '0962cd11-74cf-4f72-b241-1dca91e9be17', '0', '0', '2'),
  ('ord_5b9c8d09d9f5b6a6cf6bf0a0', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', '66ee0822-29a7-4905-8991-508c3f49dea4', 'f94c81a2-0a77-46d6-b034-77cd71e32222', '1250', 'EUR', 'both', 'PENDING', 'PENDING', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:49.625466+00', '2026-11-22 10:14:49.625466+00', NULL, NULL, NULL, NULL, '0', '0', '1'),
  ('ord_74591d7f2242c8ff68702421', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', '66ee0822-29a7-4905-8991-508c3f49dea4', '8b2d1771-0242-4677-bff5-36dc1fb62fee', '1250', 'EUR', 'both', 'PAID', 'PAID', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:49.752472+00', '2026-11-22 10:14:49.752472+00', '2026-11-22 10:14:49.807052+00', 'TRXf36b5712df85', '0737333a-9311-41ca-805b-573f666a9a2f', '0962cd11-74cf-4f72-b241-1dca91e9be17', '250', '0', '3'),
  ('ord_78a1cb12ddbb53db0c2115f3', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', '66ee0822-29a7-4905-8991-508c3f49dea4', '965da5c2-0952-4551-a866-155fdf940efd', '1250', 'EUR', 'both', 'PAID', 'REFUND_PENDING', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:50.016254+00', '2026-11-22 10:14:50.016254+00', '2026-11-22 10:14:50.02484+00', 'TRXc618d5f8ee12', 'e9109126-0388-4fe5-9432-262ccfd442c3', '0962cd11-74cf-4f72-b241-1dca91e9be17', '0', '500', '3'),
  ('ord_7f8431b338c5028b0b194292', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', '66ee0822-29a7-4905-8991-508c3f49dea4', '73db94a8-69f8-4363-90d1-abc5b9e761d5', '1250', 'EUR', 'both', 'PAID', 'REFUNDED', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:49.757469+00', '2026-11-22 10:14:49.757469+00', '2026-11-22 10:14:49.949935+00', 'TRX2adc19a648af', 'e9b45d9c-5d30-4456-ace5-d9626c24bf45', '0962cd11-74cf-4f72-b241-1dca91e9be17', '1250', '0', '3');
INSERT INTO refunds ("id", "mode", "merchant_id", "order_id", "amount", "currency", "status", "reason", "reference", "transfer_id", "created_at", "settled_at", "hold_transfer_id") VALUES
  ('ref_14c9b6aa4cc38ad1ce65ad65', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'ord_78a1cb12ddbb53db0c2115f3', '500', 'EUR', 'pending', 'old', NULL, NULL, '2026-11-22 10:14:50.035671+00', NULL, '0b3d847c-4d0b-4c10-b270-620ce92c4961'),
  ('ref_32448ee1e1f937648bd49271', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'ord_7f8431b338c5028b0b194292', '1250', 'EUR', 'completed', 'old', NULL, 'a75f6688-3ce7-4342-a909-113c01ce9ccc', '2026-11-22 10:14:49.994255+00', '2026-11-22 10:14:49.994255+00', NULL),
  ('ref_4e80d40d7e51815d0bd307a6', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'ord_74591d7f2242c8ff68702421', '250', 'EUR', 'completed', 'old', NULL, 'a78f884c-f84e-47c9-9950-5233f9a35209', '2026-11-22 10:14:49.970247+00', '2026-11-22 10:14:49.970247+00', NULL);
INSERT INTO day_counts ("merchant_id", "mode", "kind", "day", "status", "slot", "count") VALUES
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'order', '2026-11-22', 'CANCELLED', '12', '1'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'order', '2026-11-22', 'PAID', '12', '2'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'order', '2026-11-22', 'PENDING', '12', '1'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'order', '2026-11-22', 'REFUNDED', '12', '1'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'order', '2026-11-22', 'REFUND_PENDING', '12', '1'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'refund', '2026-11-22', 'completed', '12', '2'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'refund', '2026-11-22', 'pending', '12', '1');
INSERT INTO idempotency_keys ("merchant_id", "mode", "operation", "key", "request_hash", "resource_id", "created_at") VALUES
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'create_order', 'old key', E'\\xdfcafae694259c719203dd502252ab975bf6849dc6c8f5fcbe1eda19a821db4d', 'ord_5b9c8d09d9f5b6a6cf6bf0a0', '2026-11-22 10:14:49.62366+00'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'refund_payment', 'old refund', E'\\x1e472b39b105d349bcd069c4a711b44a2fffb8e274714bb07ecfff69a9a7f67b', 'ref_4e80d40d7e51815d0bd307a6', '2026-11-22 10:14:49.967825+00');
INSERT INTO events ("id", "mode", "merchant_id", "name", "order_id", "body", "created_at") VALUES
  ('evt_0af741d0627a43228564f886d561f2c6', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'pos.order.paid', 'ord_177ad1636c1fa738af525cfc', '{"id" : "evt_0af741d0627a43228564f886d561f2c6", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:49+00:00", "data" : {"order_id" : "ord_177ad1636c1fa738af525cfc", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRXaca4d7aa25ee", "paid_at" : "2026-11-22T10:14:49+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:49.785711+00'),
  ('evt_0cb9afe763954de298f0fbdc5bac3e6b', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'refund.completed', 'ord_7f8431b338c5028b0b194292', '{"id" : "evt_0cb9afe763954de298f0fbdc5bac3e6b", "event" : "refund.completed", "timestamp" : "2026-11-22T10:14:49+00:00", "data" : {"refund_id" : "ref_32448ee1e1f937648bd49271", "transaction_id" : "TRX2adc19a648af", "amount" : "12.50 EUR", "raw_amount" : 12.50, "currency" : "EUR", "status" : "completed", "reason" : "old", "reference" : null, "created_at" : "2026-11-22T10:14:49+00:00", "order_id" : "ord_7f8431b338c5028b0b194292"}}', '2026-11-22 10:14:49.998913+00'),
  ('evt_134088a83c084d70b94326dde4f5307c', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'pos.order.paid', 'ord_78a1cb12ddbb53db0c2115f3', '{"id" : "evt_134088a83c084d70b94326dde4f5307c", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:50+00:00", "data" : {"order_id" : "ord_78a1cb12ddbb53db0c2115f3", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRXc618d5f8ee12", "paid_at" : "2026-11-22T10:14:50+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:50.025667+00'),
  ('evt_1ceb33f521e442ed8a2f90ee01564011', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'pos.order.paid', 'ord_74591d7f2242c8ff68702421', '{"id" : "evt_1ceb33f521e442ed8a2f90ee01564011", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:49+00:00", "data" : {"order_id" : "ord_74591d7f2242c8ff68702421", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRXf36b5712df85", "paid_at" : "2026-11-22T10:14:49+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:49.833384+00'),
  ('evt_46d14358e9a34af58436f7516f1528e5', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'refund.completed', 'ord_74591d7f2242c8ff68702421', '{"id" : "evt_46d14358e9a34af58436f7516f1528e5", "event" : "refund.completed", "timestamp" : "2026-11-22T10:14:49+00:00", "data" : {"refund_id" : "ref_4e80d40d7e51815d0bd307a6", "transaction_id" : "TRXf36b5712df85", "amount" : "2.50 EUR", "raw_amount" : 2.50, "currency" : "EUR", "status" : "completed", "reason" : "old", "reference" : null, "created_at" : "2026-11-22T10:14:49+00:00", "order_id" : "ord_74591d7f2242c8ff68702421"}}', '2026-11-22 10:14:49.981949+00'),
  ('evt_5aef8170204e4c6bab66a63227f9e76a', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'payout.completed', NULL, '{"id" : "evt_5aef8170204e4c6bab66a63227f9e76a", "event" : "payout.completed", "payout_id" : "pay_6ec69d6dc8b877758d1a21a2", "reference" : "old-1", "amount" : 1.00, "currency" : "EUR", "fee" : 0.10, "total_deducted" : 1.10, "exchange_rate" : 1, "receiver_amount" : 1.00, "receiver_currency" : "EUR", "status" : "completed", "processed_at" : "2026-11-22T10:14:50+00:00", "timestamp" : "2026-11-22T10:14:50+00:00"}', '2026-11-22 10:14:50.052117+00'),
  ('evt_969646bd42214925aec2cd72e63512aa', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'pos.order.paid', 'ord_7f8431b338c5028b0b194292', '{"id" : "evt_969646bd42214925aec2cd72e63512aa", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:49+00:00", "data" : {"order_id" : "ord_7f8431b338c5028b0b194292", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRX2adc19a648af", "paid_at" : "2026-11-22T10:14:49+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:49.950676+00'),
  ('evt_a2341fc337f04461a704b0f485eb71e8', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'pos.order.cancelled', 'ord_02edb31c81889c0a201f6eb7', '{"id" : "evt_a2341fc337f04461a704b0f485eb71e8", "event" : "pos.order.cancelled", "timestamp" : "2026-11-22T10:14:49+00:00", "data" : {"order_id" : "ord_02edb31c81889c0a201f6eb7", "amount" : 12.50, "currency" : "EUR", "status" : "CANCELLED", "reference" : null, "terminal_id" : null, "trx_id" : null, "paid_at" : null, "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:49.763783+00'),
  ('evt_e3477c2a8ac24565869da9427a65209c', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'pos.order.refunded', 'ord_7f8431b338c5028b0b194292', '{"id" : "evt_e3477c2a8ac24565869da9427a65209c", "event" : "pos.order.refunded", "timestamp" : "2026-11-22T10:14:50+00:00", "data" : {"order_id" : "ord_7f8431b338c5028b0b194292", "amount" : 12.50, "currency" : "EUR", "status" : "REFUNDED", "reference" : null, "terminal_id" : null, "trx_id" : "TRX2adc19a648af", "paid_at" : "2026-11-22T10:14:49+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 12.50, "version" : 3}}', '2026-11-22 10:14:50.005534+00');
INSERT INTO receivers ("id", "mode", "merchant_id", "address", "events", "secret_ciphertext", "encryption_key_id", "disabled_at", "created_at", "deliveries_lag", "disabled_reason", "failing_since", "failures_in_row", "last_failure_at", "last_failure_kind", "last_failure_status", "last_success_at", "paused_at", "previous_encryption_key_id", "previous_secret_ciphertext", "previous_secret_expires_at", "removed_at", "warned_at") VALUES
  ('8056702c-db0b-4354-b9c8-813b3788b574', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'https://shop.example/hook', '{pos.order.paid,refund.completed}', E'\\x78', 'k1', NULL, '2026-11-22 10:14:49.563488+00', 'false', NULL, NULL, '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('ad35a692-06d9-494a-8a1a-e0477cb859ba', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'https://gone.example/hook', '{pos.order.paid}', E'\\x78', 'k1', '2026-11-22 10:14:49.565765+00', '2026-11-22 10:14:49.565765+00', 'false', 'gone', NULL, '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO deliveries ("id", "mode", "event_id", "receiver_id", "credential_id", "address", "status", "attempt_count", "next_attempt_at", "created_at", "settled_at", "attempts_before", "given_up_because") VALUES
  ('0956fb8b-8ebe-4cd6-9dc5-35d6abdcfb5f', 'sandbox', 'evt_0cb9afe763954de298f0fbdc5bac3e6b', NULL, '66ee0822-29a7-4905-8991-508c3f49dea4', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:49.99943+00', '2026-11-22 10:14:49.99943+00', NULL, '0', NULL),
  ('0b0972cc-9afb-4be7-8302-9f82d035fce7', 'sandbox', 'evt_0cb9afe763954de298f0fbdc5bac3e6b', '8056702c-db0b-4354-b9c8-813b3788b574', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:50.000016+00', '2026-11-22 10:14:50.000016+00', NULL, '0', NULL),
  ('2fc3bc82-07dd-4c21-9e7d-514c79df685c', 'sandbox', 'evt_a2341fc337f04461a704b0f485eb71e8', NULL, '66ee0822-29a7-4905-8991-508c3f49dea4', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:49.768501+00', '2026-11-22 10:14:49.768501+00', NULL, '0', NULL),
  ('3424185b-316b-4862-8919-ff220064621d', 'sandbox', 'evt_e3477c2a8ac24565869da9427a65209c', NULL, '66ee0822-29a7-4905-8991-508c3f49dea4', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:50.005858+00', '2026-11-22 10:14:50.005858+00', NULL, '0', NULL),
  ('41d99e1d-e43f-466b-bd38-18d12c4cf69e', 'sandbox', 'evt_0af741d0627a43228564f886d561f2c6', NULL, '66ee0822-29a7-4905-8991-508c3f49dea4', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:49.786005+00', '2026-11-22 10:14:49.786005+00', NULL, '0', NULL),
  ('542865b3-9ad5-43ee-bc6d-3adb92687492', 'sandbox', 'evt_134088a83c084d70b94326dde4f5307c', '8056702c-db0b-4354-b9c8-813b3788b574', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:50.025964+00', '2026-11-22 10:14:50.025964+00', NULL, '0', NULL),
  ('5646f0de-5c5d-4a29-b788-e8a216587664', 'sandbox', 'evt_134088a83c084d70b94326dde4f5307c', NULL, '66ee0822-29a7-4905-8991-508c3f49dea4', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:50.025789+00', '2026-11-22 10:14:50.025789+00', NULL, '0', NULL),
  ('a7c4256c-294d-4fa7-adba-12336b630478', 'sandbox', 'evt_1ceb33f521e442ed8a2f90ee01564011', '8056702c-db0b-4354-b9c8-813b3788b574', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:49.94415+00', '2026-11-22 10:14:49.94415+00', NULL, '0', NULL),
  ('b6e9da29-2e93-419f-bb5a-74c7d54f2866', 'sandbox', 'evt_969646bd42214925aec2cd72e63512aa', '8056702c-db0b-4354-b9c8-813b3788b574', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:49.951168+00', '2026-11-22 10:14:49.951168+00', NULL, '0', NULL),
  ('cc4f88ea-36a7-4117-bd17-1665a5151bff', 'sandbox', 'evt_969646bd42214925aec2cd72e63512aa', NULL, '66ee0822-29a7-4905-8991-508c3f49dea4', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:49.95088+00', '2026-11-22 10:14:49.95088+00', NULL, '0', NULL),
  ('e65fd84f-72ae-46a1-ae6a-5537e8e20e8d', 'sandbox', 'evt_46d14358e9a34af58436f7516f1528e5', '8056702c-db0b-4354-b9c8-813b3788b574', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:49.982658+00', '2026-11-22 10:14:49.982658+00', NULL, '0', NULL),
  ('ea227b04-ad65-43ca-85b2-68215080993b', 'sandbox', 'evt_0af741d0627a43228564f886d561f2c6', '8056702c-db0b-4354-b9c8-813b3788b574', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:49.78644+00', '2026-11-22 10:14:49.78644+00', NULL, '0', NULL),
  ('f2c07765-0cba-4821-b938-e98b56f52b36', 'sandbox', 'evt_1ceb33f521e442ed8a2f90ee01564011', NULL, '66ee0822-29a7-4905-8991-508c3f49dea4', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:49.834042+00', '2026-11-22 10:14:49.834042+00', NULL, '0', NULL),
  ('ff3e6888-c999-4913-979e-8202e4e21540', 'sandbox', 'evt_46d14358e9a34af58436f7516f1528e5', NULL, '66ee0822-29a7-4905-8991-508c3f49dea4', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:49.982287+00', '2026-11-22 10:14:49.982287+00', NULL, '0', NULL);
INSERT INTO console_users ("id", "email", "role", "merchant_id", "password_hash", "created_at") VALUES
  ('8d3f4f54-372c-455a-b7d4-47df21c4d358', 'admin@example.com', 'administrator', NULL, 'x', '2026-11-22 10:14:50.072392+00');
INSERT INTO payout_usage ("merchant_id", "mode", "currency", "period", "starts_on", "amount") VALUES
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'EUR', 'day', '2026-11-22', '200'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'EUR', 'month', '2026-11-01', '200');
INSERT INTO payouts ("id", "mode", "merchant_id", "reference", "quote_id", "wallet_user_id", "recipient_account_id", "amount", "sender_currency", "fee", "rate", "receiver_amount", "receiver_currency", "status", "description", "trx_id", "transfer_id", "hold_transfer_id", "created_at", "processed_at") VALUES
  ('pay_6ec69d6dc8b877758d1a21a2', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'old-1', NULL, '9752f117-b764-4c2f-9423-10e9291a9670', '0962cd11-74cf-4f72-b241-1dca91e9be17', '100', 'EUR', '10', '1.00000000000000000000', '100', 'EUR', 'completed', NULL, 'PO16a3e95847', 'fbb5ba2e-f234-414e-ac01-33653bd13de5', NULL, '2026-11-22 10:14:50.046875+00', '2026-11-22 10:14:50.046875+00'),
  ('pay_d6bb15eb99ea84d600739c4f', 'sandbox', '2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'old-2', NULL, '9752f117-b764-4c2f-9423-10e9291a9670', '0962cd11-74cf-4f72-b241-1dca91e9be17', '100', 'EUR', '10', '1.00000000000000000000', '100', 'EUR', 'pending', NULL, NULL, NULL, '924b255d-122f-4b11-a928-c6441fb92f6b', '2026-11-22 10:14:50.060163+00', NULL);
INSERT INTO audit_records ("id", "merchant_id", "number", "administrator_id", "administrator", "action", "subject", "details", "created_at", "previous_hash", "hash") VALUES
  ('1', NULL, '1', '8d3f4f54-372c-455a-b7d4-47df21c4d358', 'admin@example.com', 'wallet.deposit', '0962cd11-74cf-4f72-b241-1dca91e9be17', '{"mode" : "sandbox", "currency" : "EUR", "amount_minor" : "5000", "external_reference" : "wire 1", "wallet_user_id" : "9752f117-b764-4c2f-9423-10e9291a9670", "request_id" : null, "transfer_id" : "5afdd755-1188-4f79-b6d2-0211a1dcaf99"}', '2026-11-22 10:14:50.08739+00', E'\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', E'\\xb003d563db553e36bff6eaaa55a28694e354187e67bd315a1035b1d2c61a7706');
INSERT INTO span_counts ("merchant_id", "mode", "kind", "starts_at", "status", "slot", "count") VALUES
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'CANCELLED', '12', '1'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'PAID', '12', '2'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'PENDING', '12', '1'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'REFUNDED', '12', '1'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'REFUND_PENDING', '12', '1'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'refund', '2026-11-22 10:10:00+00', 'completed', '12', '2'),
  ('2fdac3f6-d19a-44d3-92ac-df8a570f1662', 'sandbox', 'refund', '2026-11-22 10:10:00+00', 'pending', '12', '1');
INSERT INTO event_retention ("id", "pruned_before") VALUES
  ('1', '2000-01-01 00:00:00+00');
SELECT setval('attempts_id_seq', 1, false);
SELECT setval('audit_records_id_seq', 1, true);
SELECT setval('entries_id_seq', 23, true);
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
CREATE INDEX deliveries_of_receiver ON deliveries USING btree (receiver_id, created_at DESC, id DESC) WHERE (receiver_id IS NOT NULL);
CREATE INDEX deliveries_queued ON deliveries USING btree (next_attempt_at) WHERE (status = 'queued'::delivery_status);
CREATE INDEX deliveries_waiting ON deliveries USING btree (receiver_id) WHERE ((status = ANY (ARRAY['pending'::delivery_status, 'held'::delivery_status])) AND (receiver_id IS NOT NULL));
CREATE INDEX delivery_hosts_changed_at_idx ON delivery_hosts USING btree (changed_at);
CREATE INDEX entries_account_id_id_idx ON entries USING btree (account_id, id);
CREATE INDEX entries_transfer_id_idx ON entries USING btree (transfer_id);
CREATE INDEX events_created_at_idx ON events USING btree (created_at);
CREATE UNIQUE INDEX events_id_mode_key ON events USING btree (id, mode);
CREATE INDEX events_merchant_id_mode_created_at_idx ON events USING btree (merchant_id, mode, created_at DESC);
CREATE UNIQUE INDEX events_once_per_order ON events USING btree (order_id, name) WHERE (name ~~ 'pos.order.%'::text);
CREATE INDEX events_order_id_idx ON events USING btree (order_id);
CREATE INDEX exchange_rates_mode_base_quote_effective_from_created_at_idx ON exchange_rates USING btree (mode, base, quote, effective_from DESC, created_at DESC);
CREATE UNIQUE INDEX fee_schedules_one_default ON fee_schedules USING btree (mode, currency) WHERE (merchant_id IS NULL);
CREATE UNIQUE INDEX fee_schedules_one_per_merchant ON fee_schedules USING btree (merchant_id, mode, currency) WHERE (merchant_id IS NOT NULL);
CREATE INDEX lookup_tokens_expires_at_idx ON lookup_tokens USING btree (expires_at);
CREATE INDEX orders_due ON orders USING btree (expires_at) WHERE (status = 'PENDING'::order_status);
CREATE UNIQUE INDEX orders_id_mode_key ON orders USING btree (id, mode);
CREATE INDEX orders_merchant_id_mode_created_at_id_idx ON orders USING btree (merchant_id, mode, created_at DESC, id DESC);
CREATE INDEX orders_merchant_id_mode_reference_created_at_id_state_idx ON orders USING btree (merchant_id, mode, reference, created_at DESC, id DESC, state);
CREATE INDEX orders_merchant_id_mode_state_created_at_id_idx ON orders USING btree (merchant_id, mode, state, created_at DESC, id DESC);
CREATE UNIQUE INDEX orders_one_per_payment ON orders USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE UNIQUE INDEX orders_token_key ON orders USING btree (token);
CREATE UNIQUE INDEX orders_trx_id_key ON orders USING btree (trx_id);
CREATE INDEX payouts_merchant_id_mode_created_at_id_idx ON payouts USING btree (merchant_id, mode, created_at DESC, id DESC);
CREATE UNIQUE INDEX payouts_merchant_id_mode_reference_key ON payouts USING btree (merchant_id, mode, reference);
CREATE UNIQUE INDEX payouts_one_per_hold ON payouts USING btree (hold_transfer_id) WHERE (hold_transfer_id IS NOT NULL);
CREATE UNIQUE INDEX payouts_one_per_transfer ON payouts USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE INDEX payouts_pending ON payouts USING btree (created_at) WHERE (status = 'pending'::payout_status);
CREATE UNIQUE INDEX payouts_quote_id_mode_key ON payouts USING btree (quote_id, mode);
CREATE UNIQUE INDEX payouts_trx_id_key ON payouts USING btree (trx_id);
CREATE INDEX quotes_expires_at_idx ON quotes USING btree (expires_at);
CREATE UNIQUE INDEX quotes_id_mode_key ON quotes USING btree (id, mode);
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
CREATE INDEX timeline_entries_created_at_idx ON timeline_entries USING btree (created_at);
CREATE INDEX timeline_entries_merchant_id_mode_id_idx ON timeline_entries USING btree (merchant_id, mode, id DESC);
CREATE UNIQUE INDEX transfers_id_mode_key ON transfers USING btree (id, mode);
CREATE UNIQUE INDEX transfers_mode_external_reference_key ON transfers USING btree (mode, external_reference);
CREATE INDEX wallet_sessions_expires_at_idx ON wallet_sessions USING btree (expires_at);
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
ALTER TABLE orders ADD CONSTRAINT orders_credential_id_merchant_id_mode_fkey FOREIGN KEY (credential_id, merchant_id, mode) REFERENCES credentials(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE orders ADD CONSTRAINT orders_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE orders ADD CONSTRAINT orders_payer_account_id_mode_currency_fkey FOREIGN KEY (payer_account_id, mode, currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
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
CREATE FUNCTION hold_delivery(p_delivery uuid) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier hold_delivery''; END';
CREATE FUNCTION keep_event() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier keep_event''; END';
CREATE FUNCTION lock_payable_order(p_order_id text, p_mode mode) RETURNS orders LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier lock_payable_order''; END';
CREATE FUNCTION move_between_wallets(p_transfer_id uuid, p_mode mode, p_kind transfer_kind, p_currency text, p_from uuid, p_to uuid, p_amount bigint, p_external_reference text) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier move_between_wallets''; END';
CREATE FUNCTION move_funds(p_kind transfer_kind, p_account_id uuid, p_house account_kind, p_amount bigint, p_external_reference text, p_transfer_id uuid, p_request_id uuid, p_administrator_id uuid, OUT outcome text, OUT id uuid) LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier move_funds''; END';
CREATE FUNCTION open_hold_account() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier open_hold_account''; END';
CREATE FUNCTION pay_order(p_order_id text, p_mode mode, p_payer_account_id uuid, p_trx_id text, p_transfer_id uuid, p_top_up_transfer_id uuid) RETURNS orders LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier pay_order''; END';
CREATE FUNCTION payout_lines(p payouts, p_from uuid) RETURNS transfer_line[] LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier payout_lines''; END';
CREATE FUNCTION prune_events(p_days integer, p_limit integer) RETURNS integer LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier prune_events''; END';
CREATE FUNCTION record_change(p_merchant_id uuid, p_administrator_id uuid, p_action text, p_subject text, p_details json) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier record_change''; END';
CREATE FUNCTION record_funds(p_action text, p_wallet accounts, p_amount bigint, p_external_reference text, p_request_id uuid, p_transfer_id uuid, p_administrator_id uuid) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier record_funds''; END';
CREATE FUNCTION record_host(p_host text, p_error_kind text, p_latency_ms integer) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier record_host''; END';
CREATE FUNCTION record_receiver_failure(p_receiver uuid, p_host text, p_kind text, p_http_status integer, p_started_at timestamp with time zone) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier record_receiver_failure''; END';
CREATE FUNCTION record_receiver_success(p_receiver uuid) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier record_receiver_success''; END';
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
CREATE TRIGGER transfers_are_final BEFORE DELETE OR UPDATE OR TRUNCATE ON transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER transfers_have_entries AFTER INSERT ON transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_entries();
CREATE TRIGGER wallets_come_with_a_hold AFTER INSERT ON accounts FOR EACH ROW WHEN ((new.kind = 'merchant'::account_kind)) EXECUTE FUNCTION open_hold_account();
