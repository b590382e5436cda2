-- A database of the state 20261121001400_rate_limits, with money in it. Its functions answer nothing here: only that they were there counts.

CREATE TYPE mode AS ENUM ('sandbox', 'live');
CREATE TYPE account_kind AS ENUM ('merchant', 'shopper', 'hold', 'fees', 'fx', 'issuing', 'funding');
CREATE TYPE transfer_kind AS ENUM ('payment', 'refund', 'top_up', 'deposit', 'withdrawal');
CREATE TYPE order_status AS ENUM ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED');
CREATE TYPE order_state AS ENUM ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUND_PENDING', 'REFUNDED');
CREATE TYPE payment_method AS ENUM ('qr_only', 'payment_page', 'both');
CREATE TYPE refund_status AS ENUM ('pending', 'completed', 'failed');
CREATE TYPE credential_kind AS ENUM ('client', 'api_token');
CREATE TYPE delivery_status AS ENUM ('pending', 'queued', 'delivered', 'failed');
CREATE TYPE console_role AS ENUM ('administrator', 'merchant');
CREATE TYPE counted_kind AS ENUM ('order', 'refund');
CREATE SEQUENCE attempts_id_seq;
CREATE SEQUENCE entries_id_seq;

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
  CONSTRAINT merchants_pkey PRIMARY KEY (id)
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
  CONSTRAINT credentials_pkey PRIMARY KEY (id),
  CONSTRAINT credentials_client_signs CHECK (((kind = 'client'::credential_kind) = ((client_id IS NOT NULL) AND (secret_ciphertext IS NOT NULL) AND (encryption_key_id IS NOT NULL))))
);
CREATE TABLE currencies (
  "code" character varying(10) NOT NULL,
  "digits" smallint NOT NULL,
  "name" text NOT NULL,
  "symbol" text NOT NULL,
  "active" boolean NOT NULL DEFAULT true,
  CONSTRAINT currencies_pkey PRIMARY KEY (code),
  CONSTRAINT currencies_digits CHECK (((digits >= 0) AND (digits <= 4)))
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
  CONSTRAINT refunds_pkey PRIMARY KEY (id),
  CONSTRAINT refunds_amount CHECK ((amount > 0)),
  CONSTRAINT refunds_completed_moved_money CHECK (((status <> 'completed'::refund_status) OR (transfer_id IS NOT NULL))),
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
  CONSTRAINT receivers_pkey PRIMARY KEY (id)
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
  CONSTRAINT deliveries_pkey PRIMARY KEY (id),
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

ALTER SEQUENCE entries_id_seq OWNED BY entries.id;
ALTER SEQUENCE attempts_id_seq OWNED BY attempts.id;

INSERT INTO _prisma_migrations ("id", "checksum", "finished_at", "migration_name", "logs", "rolled_back_at", "started_at", "applied_steps_count") VALUES
  ('3b95bac3-e633-41a6-9d1e-0021a32fd323', '0a0c7490617f094e3481dd00fa332995a7598b8e537532115cb27d9f23faf003', '2026-11-22 10:14:46.255025+00', '20261121000400_day_counts', NULL, NULL, '2026-11-22 10:14:46.249398+00', '1'),
  ('48b21960-5481-4ece-989f-61a775e8bdf9', 'b4135436c278d30907aab15e764b2e9fd340e9eef60287b1df9a43bcd24c80f6', '2026-11-22 10:14:46.336572+00', '20261121001300_refund_payment', NULL, NULL, '2026-11-22 10:14:46.332668+00', '1'),
  ('558337e9-2ebc-4c0f-8129-3fda45a19689', '592f0b35db450a8fb5ba343b78a5d97d41dfd4b3850a0fe172b2aca1b8c1ebca', '2026-11-22 10:14:46.368686+00', '20261121001400_rate_limits', NULL, NULL, '2026-11-22 10:14:46.342971+00', '1'),
  ('5cad8311-4b9f-425a-bc4d-db3f8c6c1c06', 'a9a2a45547a77dd580330d0ee7b21dfb1f94c038557052e4a9b0c63c8ac2d0fe', '2026-11-22 10:14:46.32674+00', '20261121001100_cancel_order', NULL, NULL, '2026-11-22 10:14:46.322368+00', '1'),
  ('5d13a2ba-cba3-4c6e-821d-5f87f45a002b', '12753edea2d541e77c2bdc3914deb97624aa536b8a4c0db3a113fdaaa37200c7', '2026-11-22 10:14:46.24817+00', '20261121000300_order_rules', NULL, NULL, '2026-11-22 10:14:46.223399+00', '1'),
  ('6eb8690c-a994-4467-a7c0-52189607b177', '75fd42298b0e1a28e46de37ebb158f7f2d877fcb32b861f272cf17b31bfa3344', '2026-11-22 10:14:46.192698+00', '20261121000000_tables', NULL, NULL, '2026-11-22 10:14:45.756622+00', '1'),
  ('843c20a6-a259-4fdc-a30f-93819f309b67', 'fc82c834905f873edeef4a3a9bc270de4084836c32543c8a08dcdd23e2e4efd2', '2026-11-22 10:14:46.328723+00', '20261121001200_expire_orders', NULL, NULL, '2026-11-22 10:14:46.327466+00', '1'),
  ('a07c0c45-37ea-491e-8c11-fb6447aa5c6a', '0fa8cd8d57482740caee7c7fb026f6816f1bfb694ed376f6986635cd696c315e', '2026-11-22 10:14:46.217194+00', '20261121000100_account_rules', NULL, NULL, '2026-11-22 10:14:46.200554+00', '1'),
  ('a12e5933-673d-4fbd-a2d7-fb597fd07254', '16f033c3032f157dfe372005f593646bae24b4ac20bf24a1e1a37a4b2884d5bb', '2026-11-22 10:14:46.284674+00', '20261121000500_events', NULL, NULL, '2026-11-22 10:14:46.257658+00', '1'),
  ('a1d2a11b-1a57-497d-98ef-e1956a65d2c2', 'a7af257a2837f7926757cedd1ec57fdd35b30bc5f6b1e8f1575a8d7eb09fe5ec', '2026-11-22 10:14:46.321652+00', '20261121001000_pay_order', NULL, NULL, '2026-11-22 10:14:46.314075+00', '1'),
  ('aea62e8a-c0b3-4fc1-89ee-7db63425a5b3', 'c91d228ddd21af13fbaa0f4dd7bb739dab6e11f034f4ee51dda4859e4ad5b88f', '2026-11-22 10:14:46.341913+00', '20261121001400_changes_are_reported', NULL, NULL, '2026-11-22 10:14:46.340726+00', '1'),
  ('b61c21b4-9047-460f-b7ec-7a97d465dc92', '8ac05e321cdb949adf6cc81cfc3135f8b9e42a3632446471ccb9ce3f243f4726', '2026-11-22 10:14:46.303404+00', '20261121000800_lock_payable_order', NULL, NULL, '2026-11-22 10:14:46.29858+00', '1'),
  ('db95e68c-fb0c-47fb-bc94-4779b1aaef8e', '43167659e6f5da312dea2652e44a0c2bfbf82e3bfe42b3eb9fc09a7a781960bb', '2026-11-22 10:14:46.29787+00', '20261121000700_create_order', NULL, NULL, '2026-11-22 10:14:46.296508+00', '1'),
  ('dd6401f1-b133-45b0-bd7e-ce2d83d98cc4', '30cbe1cd4c1a4572f6d9ee988030ce1f78c8b9c5c3c8ad89c13621f5e412ab94', '2026-11-22 10:14:46.310814+00', '20261121000900_move_between_wallets', NULL, NULL, '2026-11-22 10:14:46.305734+00', '1'),
  ('e8e84853-2f59-41da-abb6-2b2005f36f00', '5e5aa368061538d4505c1e6dcdcbbbad58008b248751c1a495d358ddeff60ba5', '2026-11-22 10:14:46.293832+00', '20261121000600_claim_idempotency_key', NULL, NULL, '2026-11-22 10:14:46.290467+00', '1'),
  ('fbbf1601-a501-48d5-ab4b-88c8bcfd4098', '76ea19693a466fab2f3d14d526d83d39d58469d8320a244e1d20abb5571bca5c', '2026-11-22 10:14:46.222213+00', '20261121000200_entry_rules', NULL, NULL, '2026-11-22 10:14:46.218172+00', '1');
INSERT INTO merchants ("id", "name", "suspended_at", "created_at") VALUES
  ('8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'Old shop', NULL, '2026-11-22 10:14:46.410128+00');
INSERT INTO credentials ("id", "merchant_id", "mode", "kind", "client_id", "secret_hash", "secret_ciphertext", "encryption_key_id", "created_at", "revoked_at", "last_used_at") VALUES
  ('e16c000b-f36b-44a3-8fdc-9d9a53984164', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'sandbox', 'client', 'tg_sandbox_old', E'\\xf5749e72e2a98986947575f6b54eb960605ecc14a7ede1bee58844c04ff7e4cc', E'\\xf5749e72e2a98986947575f6b54eb960605ecc14a7ede1bee58844c04ff7e4cc', 'k1', '2026-11-22 10:14:46.411136+00', NULL, NULL);
INSERT INTO currencies ("code", "digits", "name", "symbol", "active") VALUES
  ('EUR', '2', 'Euro', '€', 'true'),
  ('USD', '2', 'US dollar', '$', 'true');
INSERT INTO wallet_users ("id", "mode", "name", "phone", "email", "pin_hash", "active", "test_of_merchant_id", "created_at") VALUES
  ('e72fde27-6b56-41d1-8333-ebec2893187d', 'sandbox', 'Old shopper', NULL, 'old@example.com', NULL, 'true', NULL, '2026-11-22 10:14:46.413041+00');
INSERT INTO wallet_sessions ("id", "mode", "wallet_user_id", "token_hash", "created_at", "expires_at", "revoked_at") VALUES
  ('a7296eca-6069-426c-821b-362c6e8b5493', 'sandbox', 'e72fde27-6b56-41d1-8333-ebec2893187d', E'\\x677f18d8705d2f9ea722a6b751220fd58bba66a1d59b3d9868fc87d0253b6dc5', '2026-11-22 10:14:46.416424+00', '2026-11-23 10:14:46.416424+00', NULL);
INSERT INTO accounts ("id", "mode", "currency", "kind", "merchant_id", "wallet_user_id", "balance", "closed_at", "created_at") VALUES
  ('39d956ce-bd9d-4f82-ad44-2d39811d0b64', 'sandbox', 'EUR', 'fx', NULL, NULL, NULL, NULL, '2026-11-22 10:14:46.422558+00'),
  ('44700ee6-d321-4e59-9a84-d0c936fd2e37', 'sandbox', 'EUR', 'issuing', NULL, NULL, NULL, NULL, '2026-11-22 10:14:46.422558+00'),
  ('647e5a22-5b01-46bf-80b6-472e84ea4783', 'sandbox', 'EUR', 'merchant', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', NULL, '2250', NULL, '2026-11-22 10:14:46.422558+00'),
  ('80168714-ea68-4c75-87a7-826ca98a262c', 'sandbox', 'EUR', 'fees', NULL, NULL, NULL, NULL, '2026-11-22 10:14:46.422558+00'),
  ('9b08459e-2d83-40b2-bde3-c80304bb115a', 'sandbox', 'USD', 'fx', NULL, NULL, NULL, NULL, '2026-11-22 10:14:46.422558+00'),
  ('b1ac3214-d903-4bc7-9e39-078cfc518a96', 'sandbox', 'USD', 'issuing', NULL, NULL, NULL, NULL, '2026-11-22 10:14:46.422558+00'),
  ('ff9f43f9-b34c-4100-84c1-e0aebb1c0653', 'sandbox', 'EUR', 'shopper', NULL, 'e72fde27-6b56-41d1-8333-ebec2893187d', '97750', NULL, '2026-11-22 10:14:46.422558+00');
INSERT INTO transfers ("id", "mode", "kind", "corrects", "external_reference", "created_at") VALUES
  ('0eb6f1cf-327e-49c0-bb18-5b8272efd117', 'sandbox', 'payment', NULL, NULL, '2026-11-22 10:14:46.520779+00'),
  ('0fe6300f-4a4b-4e9c-bb59-fa14adcc8754', 'sandbox', 'refund', NULL, NULL, '2026-11-22 10:14:46.546913+00'),
  ('3f70432e-66b1-466b-a408-488088bebe92', 'sandbox', 'payment', NULL, NULL, '2026-11-22 10:14:46.48934+00'),
  ('a6d2bd3a-0adc-4de1-a382-9d864f4089be', 'sandbox', 'payment', NULL, NULL, '2026-11-22 10:14:46.502021+00'),
  ('c4b2a8df-ab82-49a5-8a88-2259c598c3c5', 'sandbox', 'deposit', NULL, 'opening', '2026-11-22 10:14:46.432772+00'),
  ('f1e25fcf-a42d-4044-b428-f4b67a657a33', 'sandbox', 'refund', NULL, NULL, '2026-11-22 10:14:46.532989+00');
INSERT INTO entries ("id", "transfer_id", "account_id", "mode", "currency", "amount") VALUES
  ('1', 'c4b2a8df-ab82-49a5-8a88-2259c598c3c5', '44700ee6-d321-4e59-9a84-d0c936fd2e37', 'sandbox', 'EUR', '-100000'),
  ('10', 'f1e25fcf-a42d-4044-b428-f4b67a657a33', 'ff9f43f9-b34c-4100-84c1-e0aebb1c0653', 'sandbox', 'EUR', '250'),
  ('11', '0fe6300f-4a4b-4e9c-bb59-fa14adcc8754', '647e5a22-5b01-46bf-80b6-472e84ea4783', 'sandbox', 'EUR', '-1250'),
  ('12', '0fe6300f-4a4b-4e9c-bb59-fa14adcc8754', 'ff9f43f9-b34c-4100-84c1-e0aebb1c0653', 'sandbox', 'EUR', '1250'),
  ('2', 'c4b2a8df-ab82-49a5-8a88-2259c598c3c5', 'ff9f43f9-b34c-4100-84c1-e0aebb1c0653', 'sandbox', 'EUR', '100000'),
  ('3', '3f70432e-66b1-466b-a408-488088bebe92', 'ff9f43f9-b34c-4100-84c1-e0aebb1c0653', 'sandbox', 'EUR', '-1250'),
  ('4', '3f70432e-66b1-466b-a408-488088bebe92', '647e5a22-5b01-46bf-80b6-472e84ea4783', 'sandbox', 'EUR', '1250'),
  ('5', 'a6d2bd3a-0adc-4de1-a382-9d864f4089be', 'ff9f43f9-b34c-4100-84c1-e0aebb1c0653', 'sandbox', 'EUR', '-1250'),
  ('6', 'a6d2bd3a-0adc-4de1-a382-9d864f4089be', '647e5a22-5b01-46bf-80b6-472e84ea4783', 'sandbox', 'EUR', '1250'),
  ('7', '0eb6f1cf-327e-49c0-bb18-5b8272efd117', 'ff9f43f9-b34c-4100-84c1-e0aebb1c0653', 'sandbox', 'EUR', '-1250'),
  ('8', '0eb6f1cf-327e-49c0-bb18-5b8272efd117', '647e5a22-5b01-46bf-80b6-472e84ea4783', 'sandbox', 'EUR', '1250'),
  ('9', 'f1e25fcf-a42d-4044-b428-f4b67a657a33', '647e5a22-5b01-46bf-80b6-472e84ea4783', 'sandbox', 'EUR', '-250');
INSERT INTO orders ("id", "mode", "merchant_id", "credential_id", "token", "amount", "currency", "payment_method", "status", "state", "reference", "description", "terminal_id", "order_number", "custom", "callback_url", "return_url", "cancel_url", "expires_at", "created_at", "paid_at", "trx_id", "transfer_id", "payer_account_id", "refunded", "refund_pending", "version") VALUES
  ('ord_0722b2c80254a7fe2e3c1cfc', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'e16c000b-f36b-44a3-8fdc-9d9a53984164', '5be01e55-ad32-49e8-b854-9b65a61c5d98', '1250', 'EUR', 'both', 'PENDING', 'PENDING', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:46.445481+00', '2026-11-22 10:14:46.445481+00', NULL, NULL, NULL, NULL, '0', '0', '1'),
  ('ord_9f8685739c7b2a544c0b68fd', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'e16c000b-f36b-44a3-8fdc-9d9a53984164', '76ba3bd3-fa38-49b7-9f4c-75149672fd85', '1250', 'EUR', 'both', 'CANCELLED', 'CANCELLED', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:46.462893+00', '2026-11-22 10:14:46.462893+00', NULL, NULL, NULL, NULL, '0', '0', '2'),
  ('ord_b41e21b3138cb48950e7b6a8', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'e16c000b-f36b-44a3-8fdc-9d9a53984164', '6066350d-7c5d-4cdf-b942-bcd7931809b6', '1250', 'EUR', 'both', 'PAID', 'REFUNDED', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:46.46658+00', '2026-11-22 10:14:46.46658+00', '2026-11-22 10:14:46.521266+00', 'TRX95fc13e9ead4', '0eb6f1cf-327e-49c0-bb18-5b8272efd117', 'ff9f43f9-b34c-4100-84c1-e0aebb1c0653', '1250', '0', '3'),
  ('ord_cdb8a93f34e91368fa5132fc', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'e16c000b-f36b-44a3-8fdc-9d9a53984164', '0216c9c9-e829-40bb-895d-809f5c6f98b0', '1250', 'EUR', 'both', 'PAID', 'PAID', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:46.465633+00', '2026-11-22 10:14:46.465633+00', '2026-11-22 10:14:46.502582+00', 'TRXd9d588b275fd', 'a6d2bd3a-0adc-4de1-a382-9d864f4089be', 'ff9f43f9-b34c-4100-84c1-e0aebb1c0653', '250', '0', '3'),
  ('ord_e92a126624a0db25fe30a824', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'e16c000b-f36b-44a3-8fdc-9d9a53984164', '8de1c838-67af-4d00-a721-0d2cdc74bb62', '1250', 'EUR', 'both', 'PAID', 'PAID', NULL, NULL, NULL, NULL, NULL, 'https://shop.example/callback', NULL, NULL, '2036-11-19 10:14:46.464509+00', '2026-11-22 10:14:46.464509+00', '2026-11-22 10:14:46.490091+00', 'TRXcb4e20fec5a4', '3f70432e-66b1-466b-a408-488088bebe92', 'ff9f43f9-b34c-4100-84c1-e0aebb1c0653', '0', '0', '2');
INSERT INTO refunds ("id", "mode", "merchant_id", "order_id", "amount", "currency", "status", "reason", "reference", "transfer_id", "created_at", "settled_at") VALUES
  ('ref_3842bc531068ed681c50b082', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'ord_b41e21b3138cb48950e7b6a8', '1250', 'EUR', 'completed', 'old', NULL, '0fe6300f-4a4b-4e9c-bb59-fa14adcc8754', '2026-11-22 10:14:46.55298+00', '2026-11-22 10:14:46.55298+00'),
  ('ref_de99825b052e70652e9e5322', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'ord_cdb8a93f34e91368fa5132fc', '250', 'EUR', 'completed', 'old', NULL, 'f1e25fcf-a42d-4044-b428-f4b67a657a33', '2026-11-22 10:14:46.533471+00', '2026-11-22 10:14:46.533471+00');
INSERT INTO day_counts ("merchant_id", "mode", "kind", "day", "status", "slot", "count") VALUES
  ('8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'sandbox', 'order', '2026-11-22', 'CANCELLED', '9', '1'),
  ('8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'sandbox', 'order', '2026-11-22', 'PAID', '9', '2'),
  ('8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'sandbox', 'order', '2026-11-22', 'PENDING', '9', '1'),
  ('8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'sandbox', 'order', '2026-11-22', 'REFUNDED', '9', '1'),
  ('8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'sandbox', 'refund', '2026-11-22', 'completed', '9', '2');
INSERT INTO idempotency_keys ("merchant_id", "mode", "operation", "key", "request_hash", "resource_id", "created_at") VALUES
  ('8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'sandbox', 'create_order', 'old key', E'\\xdfcafae694259c719203dd502252ab975bf6849dc6c8f5fcbe1eda19a821db4d', 'ord_0722b2c80254a7fe2e3c1cfc', '2026-11-22 10:14:46.444376+00'),
  ('8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'sandbox', 'refund_payment', 'old refund', E'\\x1e472b39b105d349bcd069c4a711b44a2fffb8e274714bb07ecfff69a9a7f67b', 'ref_de99825b052e70652e9e5322', '2026-11-22 10:14:46.531609+00');
INSERT INTO events ("id", "mode", "merchant_id", "name", "order_id", "body", "created_at") VALUES
  ('evt_093389ece8d6448d8c10e6f8e65e1b8e', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'refund.completed', 'ord_b41e21b3138cb48950e7b6a8', '{"id" : "evt_093389ece8d6448d8c10e6f8e65e1b8e", "event" : "refund.completed", "timestamp" : "2026-11-22T10:14:46+00:00", "data" : {"refund_id" : "ref_3842bc531068ed681c50b082", "transaction_id" : "TRX95fc13e9ead4", "amount" : "12.50 EUR", "raw_amount" : 12.50, "currency" : "EUR", "status" : "completed", "reason" : "old", "reference" : null, "created_at" : "2026-11-22T10:14:46+00:00", "order_id" : "ord_b41e21b3138cb48950e7b6a8"}}', '2026-11-22 10:14:46.554557+00'),
  ('evt_64b05d0d5f344c199e88aeae7d24b599', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'refund.completed', 'ord_cdb8a93f34e91368fa5132fc', '{"id" : "evt_64b05d0d5f344c199e88aeae7d24b599", "event" : "refund.completed", "timestamp" : "2026-11-22T10:14:46+00:00", "data" : {"refund_id" : "ref_de99825b052e70652e9e5322", "transaction_id" : "TRXd9d588b275fd", "amount" : "2.50 EUR", "raw_amount" : 2.50, "currency" : "EUR", "status" : "completed", "reason" : "old", "reference" : null, "created_at" : "2026-11-22T10:14:46+00:00", "order_id" : "ord_cdb8a93f34e91368fa5132fc"}}', '2026-11-22 10:14:46.536045+00'),
  ('evt_b0ebd4d0231d43609aeb5695a3cedf44', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'pos.order.cancelled', 'ord_9f8685739c7b2a544c0b68fd', '{"id" : "evt_b0ebd4d0231d43609aeb5695a3cedf44", "event" : "pos.order.cancelled", "timestamp" : "2026-11-22T10:14:46+00:00", "data" : {"order_id" : "ord_9f8685739c7b2a544c0b68fd", "amount" : 12.50, "currency" : "EUR", "status" : "CANCELLED", "reference" : null, "terminal_id" : null, "trx_id" : null, "paid_at" : null, "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:46.475297+00'),
  ('evt_b2c9f5c4c68c49cea085ebec85453a3f', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'pos.order.refunded', 'ord_b41e21b3138cb48950e7b6a8', '{"id" : "evt_b2c9f5c4c68c49cea085ebec85453a3f", "event" : "pos.order.refunded", "timestamp" : "2026-11-22T10:14:46+00:00", "data" : {"order_id" : "ord_b41e21b3138cb48950e7b6a8", "amount" : 12.50, "currency" : "EUR", "status" : "REFUNDED", "reference" : null, "terminal_id" : null, "trx_id" : "TRX95fc13e9ead4", "paid_at" : "2026-11-22T10:14:46+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 12.50, "version" : 3}}', '2026-11-22 10:14:46.555348+00'),
  ('evt_c516b7241cc8414793770e3815492a38', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'pos.order.paid', 'ord_b41e21b3138cb48950e7b6a8', '{"id" : "evt_c516b7241cc8414793770e3815492a38", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:46+00:00", "data" : {"order_id" : "ord_b41e21b3138cb48950e7b6a8", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRX95fc13e9ead4", "paid_at" : "2026-11-22T10:14:46+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:46.521921+00'),
  ('evt_f102326d98b4478abae9e110db68ea8b', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'pos.order.paid', 'ord_cdb8a93f34e91368fa5132fc', '{"id" : "evt_f102326d98b4478abae9e110db68ea8b", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:46+00:00", "data" : {"order_id" : "ord_cdb8a93f34e91368fa5132fc", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRXd9d588b275fd", "paid_at" : "2026-11-22T10:14:46+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:46.503294+00'),
  ('evt_f6e3dbab5d9d406dbb86aed97dce5c16', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'pos.order.paid', 'ord_e92a126624a0db25fe30a824', '{"id" : "evt_f6e3dbab5d9d406dbb86aed97dce5c16", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:46+00:00", "data" : {"order_id" : "ord_e92a126624a0db25fe30a824", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRXcb4e20fec5a4", "paid_at" : "2026-11-22T10:14:46+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:46.493408+00');
INSERT INTO receivers ("id", "mode", "merchant_id", "address", "events", "secret_ciphertext", "encryption_key_id", "disabled_at", "created_at") VALUES
  ('33332f73-bd7c-4595-a90c-b0263edd85e4', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'https://shop.example/hook', '{pos.order.paid,refund.completed}', E'\\x78', 'k1', NULL, '2026-11-22 10:14:46.420671+00'),
  ('a736e458-c29e-4a22-acc6-d3505bb7d579', 'sandbox', '8ab82eba-5f58-47cd-bd43-3a9d244b5213', 'https://gone.example/hook', '{pos.order.paid}', E'\\x78', 'k1', '2026-11-22 10:14:46.421653+00', '2026-11-22 10:14:46.421653+00');
INSERT INTO deliveries ("id", "mode", "event_id", "receiver_id", "credential_id", "address", "status", "attempt_count", "next_attempt_at", "created_at", "settled_at") VALUES
  ('014a83ab-e246-4c07-b56d-58d37f6f9ab7', 'sandbox', 'evt_f6e3dbab5d9d406dbb86aed97dce5c16', '33332f73-bd7c-4595-a90c-b0263edd85e4', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:46.493866+00', '2026-11-22 10:14:46.493866+00', NULL),
  ('0f3512e9-bfe3-4a59-bc1c-70e998ca1650', 'sandbox', 'evt_f6e3dbab5d9d406dbb86aed97dce5c16', NULL, 'e16c000b-f36b-44a3-8fdc-9d9a53984164', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:46.493632+00', '2026-11-22 10:14:46.493633+00', NULL),
  ('1446c071-acec-4172-92af-9b3e3c5f21ad', 'sandbox', 'evt_093389ece8d6448d8c10e6f8e65e1b8e', '33332f73-bd7c-4595-a90c-b0263edd85e4', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:46.554998+00', '2026-11-22 10:14:46.554998+00', NULL),
  ('2239e081-b423-4208-adbe-3cd10f8ceae1', 'sandbox', 'evt_b2c9f5c4c68c49cea085ebec85453a3f', NULL, 'e16c000b-f36b-44a3-8fdc-9d9a53984164', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:46.55544+00', '2026-11-22 10:14:46.55544+00', NULL),
  ('2c33d77f-e83b-4712-89d5-9e49474c62b9', 'sandbox', 'evt_c516b7241cc8414793770e3815492a38', '33332f73-bd7c-4595-a90c-b0263edd85e4', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:46.522336+00', '2026-11-22 10:14:46.522336+00', NULL),
  ('5270a0d5-7b3e-4c0f-afe1-23c33e23d258', 'sandbox', 'evt_f102326d98b4478abae9e110db68ea8b', '33332f73-bd7c-4595-a90c-b0263edd85e4', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:46.503704+00', '2026-11-22 10:14:46.503704+00', NULL),
  ('71485e5c-49e6-4057-8868-6b5c6f59f9b3', 'sandbox', 'evt_c516b7241cc8414793770e3815492a38', NULL, 'e16c000b-f36b-44a3-8fdc-9d9a53984164', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:46.522121+00', '2026-11-22 10:14:46.522121+00', NULL),
  ('84d4c91a-29f9-423a-b9d2-f6afbe2cc491', 'sandbox', 'evt_f102326d98b4478abae9e110db68ea8b', NULL, 'e16c000b-f36b-44a3-8fdc-9d9a53984164', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:46.503497+00', '2026-11-22 10:14:46.503497+00', NULL),
  ('b548eafc-a349-4d5e-8db0-03ca1f826a52', 'sandbox', 'evt_64b05d0d5f344c199e88aeae7d24b599', '33332f73-bd7c-4595-a90c-b0263edd85e4', NULL, 'https://shop.example/hook', 'pending', '0', '2026-11-22 10:14:46.539229+00', '2026-11-22 10:14:46.539229+00', NULL),
  ('ce6fece6-0c06-4d81-a4b6-9766523bd278', 'sandbox', 'evt_64b05d0d5f344c199e88aeae7d24b599', NULL, 'e16c000b-f36b-44a3-8fdc-9d9a53984164', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:46.538832+00', '2026-11-22 10:14:46.538832+00', NULL),
  ('df2e8477-fbd4-405f-ba42-fdbcea794ac8', 'sandbox', 'evt_093389ece8d6448d8c10e6f8e65e1b8e', NULL, 'e16c000b-f36b-44a3-8fdc-9d9a53984164', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:46.554784+00', '2026-11-22 10:14:46.554784+00', NULL),
  ('f0f98259-096a-4e7b-8c80-f2bc2d9e213f', 'sandbox', 'evt_b0ebd4d0231d43609aeb5695a3cedf44', NULL, 'e16c000b-f36b-44a3-8fdc-9d9a53984164', 'https://shop.example/callback', 'pending', '0', '2026-11-22 10:14:46.476194+00', '2026-11-22 10:14:46.476194+00', NULL);
SELECT setval('attempts_id_seq', 1, false);
SELECT setval('entries_id_seq', 12, true);

CREATE UNIQUE INDEX accounts_id_mode_currency_key ON accounts USING btree (id, mode, currency);
CREATE UNIQUE INDEX accounts_one_per_house ON accounts USING btree (mode, currency, kind) WHERE ((merchant_id IS NULL) AND (wallet_user_id IS NULL));
CREATE UNIQUE INDEX accounts_one_per_merchant ON accounts USING btree (merchant_id, mode, currency, kind) WHERE (merchant_id IS NOT NULL);
CREATE UNIQUE INDEX accounts_one_per_wallet_user ON accounts USING btree (wallet_user_id, currency) WHERE (wallet_user_id IS NOT NULL);
CREATE UNIQUE INDEX attempts_delivery_id_number_key ON attempts USING btree (delivery_id, number);
CREATE UNIQUE INDEX console_users_email_key ON console_users USING btree (email);
CREATE UNIQUE INDEX credentials_client_id_key ON credentials USING btree (client_id);
CREATE UNIQUE INDEX credentials_id_merchant_id_mode_key ON credentials USING btree (id, merchant_id, mode);
CREATE UNIQUE INDEX credentials_id_mode_key ON credentials USING btree (id, mode);
CREATE INDEX credentials_merchant_id_mode_idx ON credentials USING btree (merchant_id, mode);
CREATE UNIQUE INDEX credentials_secret_hash_key ON credentials USING btree (secret_hash);
CREATE INDEX deliveries_due ON deliveries USING btree (next_attempt_at) WHERE (status = 'pending'::delivery_status);
CREATE INDEX deliveries_event_id_idx ON deliveries USING btree (event_id);
CREATE INDEX deliveries_queued ON deliveries USING btree (next_attempt_at) WHERE (status = 'queued'::delivery_status);
CREATE INDEX entries_account_id_id_idx ON entries USING btree (account_id, id);
CREATE INDEX entries_transfer_id_idx ON entries USING btree (transfer_id);
CREATE UNIQUE INDEX events_id_mode_key ON events USING btree (id, mode);
CREATE INDEX events_merchant_id_mode_created_at_idx ON events USING btree (merchant_id, mode, created_at DESC);
CREATE UNIQUE INDEX events_once_per_order ON events USING btree (order_id, name) WHERE (name ~~ 'pos.order.%'::text);
CREATE INDEX events_order_id_idx ON events USING btree (order_id);
CREATE INDEX orders_due ON orders USING btree (expires_at) WHERE (status = 'PENDING'::order_status);
CREATE UNIQUE INDEX orders_id_mode_key ON orders USING btree (id, mode);
CREATE INDEX orders_merchant_id_mode_created_at_id_idx ON orders USING btree (merchant_id, mode, created_at DESC, id DESC);
CREATE INDEX orders_merchant_id_mode_reference_idx ON orders USING btree (merchant_id, mode, reference);
CREATE INDEX orders_merchant_id_mode_state_created_at_id_idx ON orders USING btree (merchant_id, mode, state, created_at DESC, id DESC);
CREATE UNIQUE INDEX orders_one_per_payment ON orders USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE UNIQUE INDEX orders_token_key ON orders USING btree (token);
CREATE UNIQUE INDEX orders_trx_id_key ON orders USING btree (trx_id);
CREATE UNIQUE INDEX receivers_id_mode_key ON receivers USING btree (id, mode);
CREATE INDEX receivers_merchant_id_mode_idx ON receivers USING btree (merchant_id, mode);
CREATE INDEX refunds_merchant_id_mode_created_at_id_idx ON refunds USING btree (merchant_id, mode, created_at DESC, id DESC);
CREATE INDEX refunds_merchant_id_mode_status_created_at_id_idx ON refunds USING btree (merchant_id, mode, status, created_at DESC, id DESC);
CREATE UNIQUE INDEX refunds_one_per_transfer ON refunds USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE INDEX refunds_order_id_idx ON refunds USING btree (order_id);
CREATE UNIQUE INDEX transfers_external_reference_key ON transfers USING btree (external_reference);
CREATE UNIQUE INDEX transfers_id_mode_key ON transfers USING btree (id, mode);
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
ALTER TABLE attempts ADD CONSTRAINT attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE console_users ADD CONSTRAINT console_users_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE credentials ADD CONSTRAINT credentials_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE day_counts ADD CONSTRAINT day_counts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_credential_id_mode_fkey FOREIGN KEY (credential_id, mode) REFERENCES credentials(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_event_id_mode_fkey FOREIGN KEY (event_id, mode) REFERENCES events(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_receiver_id_mode_fkey FOREIGN KEY (receiver_id, mode) REFERENCES receivers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE entries ADD CONSTRAINT entries_account_id_mode_currency_fkey FOREIGN KEY (account_id, mode, currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE entries ADD CONSTRAINT entries_transfer_id_mode_fkey FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE events ADD CONSTRAINT events_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE events ADD CONSTRAINT events_order_id_mode_fkey FOREIGN KEY (order_id, mode) REFERENCES orders(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE orders ADD CONSTRAINT orders_credential_id_merchant_id_mode_fkey FOREIGN KEY (credential_id, merchant_id, mode) REFERENCES credentials(id, merchant_id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE orders ADD CONSTRAINT orders_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE orders ADD CONSTRAINT orders_payer_account_id_mode_currency_fkey FOREIGN KEY (payer_account_id, mode, currency) REFERENCES accounts(id, mode, currency) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE orders ADD CONSTRAINT orders_transfer_id_mode_fkey FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE receivers ADD CONSTRAINT receivers_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE refunds ADD CONSTRAINT refunds_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE refunds ADD CONSTRAINT refunds_order_id_mode_fkey FOREIGN KEY (order_id, mode) REFERENCES orders(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE refunds ADD CONSTRAINT refunds_transfer_id_mode_fkey FOREIGN KEY (transfer_id, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE transfers ADD CONSTRAINT transfers_corrects_mode_fkey FOREIGN KEY (corrects, mode) REFERENCES transfers(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE wallet_sessions ADD CONSTRAINT wallet_sessions_wallet_user_id_mode_fkey FOREIGN KEY (wallet_user_id, mode) REFERENCES wallet_users(id, mode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE wallet_users ADD CONSTRAINT wallet_users_test_of_merchant_id_fkey FOREIGN KEY (test_of_merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;

CREATE FUNCTION book_entries() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier book_entries''; END';
CREATE FUNCTION book_refund() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier book_refund''; END';
CREATE FUNCTION cancel_order(p_order_id text, p_mode mode) RETURNS orders LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier cancel_order''; END';
CREATE FUNCTION claim_idempotency_key(p_merchant_id uuid, p_mode mode, p_operation text, p_key text, p_request_hash bytea, p_resource_id text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier claim_idempotency_key''; END';
CREATE FUNCTION count_day(p_merchant_id uuid, p_mode mode, p_kind counted_kind, p_created_at timestamp with time zone, p_before text, p_after text) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier count_day''; END';
CREATE FUNCTION count_order() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier count_order''; END';
CREATE FUNCTION count_refund() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier count_refund''; END';
CREATE FUNCTION create_order(p_id text, p_token text, p_merchant_id uuid, p_mode mode, p_credential_id uuid, p_amount bigint, p_currency text, p_payment_method payment_method, p_reference text, p_description text, p_terminal_id text, p_order_number text, p_custom text, p_callback_url text, p_return_url text, p_cancel_url text, p_expires_in_seconds integer, p_idempotency_key text, p_request_hash bytea, OUT replayed boolean, OUT result orders) LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier create_order''; END';
CREATE FUNCTION emit_event(p_order orders, p_name text, p_data json) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier emit_event''; END';
CREATE FUNCTION emit_order_event(p_order orders, p_name text) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier emit_order_event''; END';
CREATE FUNCTION emit_refund_event(p_order orders, p_refund refunds, p_name text) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier emit_refund_event''; END';
CREATE FUNCTION expire_due_orders(p_limit integer) RETURNS SETOF text LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier expire_due_orders''; END';
CREATE FUNCTION expire_order(p_order_id text, p_mode mode) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier expire_order''; END';
CREATE FUNCTION guard_account() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_account''; END';
CREATE FUNCTION guard_currency() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_currency''; END';
CREATE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_order''; END';
CREATE FUNCTION guard_refund() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier guard_refund''; END';
CREATE FUNCTION lock_payable_order(p_order_id text, p_mode mode) RETURNS orders LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier lock_payable_order''; END';
CREATE FUNCTION move_between_wallets(p_transfer_id uuid, p_mode mode, p_kind transfer_kind, p_currency text, p_from uuid, p_to uuid, p_amount bigint, p_external_reference text) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier move_between_wallets''; END';
CREATE FUNCTION pay_order(p_order_id text, p_mode mode, p_payer_account_id uuid, p_trx_id text, p_transfer_id uuid, p_top_up_transfer_id uuid) RETURNS orders LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier pay_order''; END';
CREATE FUNCTION refund_payment(p_refund_id text, p_merchant_id uuid, p_mode mode, p_trx_id text, p_amount bigint, p_reason text, p_reference text, p_transfer_id uuid, p_idempotency_key text, p_request_hash bytea, OUT replayed boolean, OUT result refunds) LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier refund_payment''; END';
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier refuse_change''; END';
CREATE FUNCTION require_entries() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier require_entries''; END';
CREATE FUNCTION require_order_report() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier require_order_report''; END';
CREATE FUNCTION require_refund_report() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier require_refund_report''; END';
CREATE FUNCTION wire_amount(p_minor bigint, p_digits smallint) RETURNS numeric LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier wire_amount''; END';
CREATE FUNCTION wire_time(p_time timestamp with time zone) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier wire_time''; END';
CREATE FUNCTION write_deliveries() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''an earlier write_deliveries''; END';
CREATE TRIGGER accounts_are_guarded BEFORE INSERT OR UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION guard_account();
CREATE TRIGGER accounts_are_kept BEFORE DELETE OR TRUNCATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER currencies_are_guarded BEFORE UPDATE ON currencies FOR EACH ROW WHEN ((old.digits <> new.digits)) EXECUTE FUNCTION guard_currency();
CREATE TRIGGER entries_are_booked AFTER INSERT ON entries REFERENCING NEW TABLE AS booked FOR EACH STATEMENT EXECUTE FUNCTION book_entries();
CREATE TRIGGER entries_are_final BEFORE DELETE OR UPDATE OR TRUNCATE ON entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_are_delivered AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION write_deliveries();
CREATE TRIGGER events_are_final BEFORE DELETE OR UPDATE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER orders_are_guarded BEFORE INSERT OR UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION guard_order();
CREATE TRIGGER orders_are_kept BEFORE DELETE OR TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER orders_are_reported AFTER UPDATE ON orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION require_order_report();
CREATE TRIGGER orders_changed_are_counted AFTER UPDATE ON orders FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION count_order();
CREATE TRIGGER orders_inserted_are_counted AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION count_order();
CREATE TRIGGER refunds_are_booked AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION book_refund();
CREATE TRIGGER refunds_are_guarded BEFORE UPDATE ON refunds FOR EACH ROW EXECUTE FUNCTION guard_refund();
CREATE TRIGGER refunds_are_kept BEFORE DELETE OR TRUNCATE ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER refunds_are_reported AFTER INSERT OR UPDATE ON refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.status <> 'pending'::refund_status)) EXECUTE FUNCTION require_refund_report();
CREATE TRIGGER refunds_are_settled AFTER UPDATE ON refunds FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION book_refund();
CREATE TRIGGER refunds_inserted_are_counted AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION count_refund();
CREATE TRIGGER refunds_settled_are_counted AFTER UPDATE ON refunds FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION count_refund();
CREATE TRIGGER transfers_are_final BEFORE DELETE OR UPDATE OR TRUNCATE ON transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER transfers_have_entries AFTER INSERT ON transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_entries();
