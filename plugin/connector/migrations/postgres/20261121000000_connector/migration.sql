-- What the connector must remember over a crash. Times are the database's own, so that several processes agree.

-- Who is working on something now. The insert wins; a claim that was not kept is free again when it expires, so that a
-- process that was killed holds nothing for longer than that.
CREATE TABLE claims (
  name text PRIMARY KEY,
  token uuid NOT NULL,
  expires_at timestamptz NOT NULL
);

-- One row for each try to have a store order paid. The row, with its idempotency key and the request, is stored before
-- the call: after a crash or a timeout the same call is repeated and finds the same Tillgate order.
CREATE TABLE attempts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  store_id text NOT NULL,
  store_order_id bigint NOT NULL,
  idempotency_key text NOT NULL UNIQUE,
  request jsonb NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- creating: the call's outcome is not known yet. pending: Tillgate has it and the shop does not know an end of it.
  -- paid, expired, cancelled, refunded: that end is in the shop. refused: Tillgate made no order of it.
  state text NOT NULL DEFAULT 'creating'
    CHECK (state IN ('creating', 'pending', 'paid', 'expired', 'cancelled', 'refunded', 'refused')),
  is_current boolean NOT NULL DEFAULT true,
  tillgate_order_id text,
  payment_url text,
  qr_data text,
  expires_at timestamptz,
  trx_id text,
  -- Set before the connector asks Tillgate to cancel, so that the event that follows is known as its own doing.
  cancel_reason text,
  next_check_at timestamptz NOT NULL,
  failed_checks integer NOT NULL DEFAULT 0 CHECK (failed_checks >= 0),
  given_up_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT attempts_known_order CHECK (
    state IN ('creating', 'refused')
    OR (tillgate_order_id IS NOT NULL AND payment_url IS NOT NULL AND expires_at IS NOT NULL)
  ),
  UNIQUE (store_id, tillgate_order_id)
);
CREATE UNIQUE INDEX attempts_one_current ON attempts (store_id, store_order_id) WHERE is_current;
CREATE INDEX attempts_due ON attempts (store_id, next_check_at)
  WHERE state IN ('creating', 'pending') AND given_up_at IS NULL;

-- Every event that was verified, its body as received. done_at is set when its effect is durable in the shop.
CREATE TABLE events (
  store_id text NOT NULL,
  event_id text NOT NULL,
  event text NOT NULL,
  tillgate_order_id text NOT NULL,
  body text NOT NULL,
  tries integer NOT NULL DEFAULT 1,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  done_at timestamptz,
  outcome text,
  PRIMARY KEY (store_id, event_id)
);
CREATE INDEX events_by_age ON events (received_at);

-- One row for each Tillgate refund of a store order, stored before the store's refund record is made.
CREATE TABLE refunds (
  store_id text NOT NULL,
  refund_id text NOT NULL,
  store_order_id bigint NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  -- The store's own number of the record; null while it is not known to be there.
  store_refund_id bigint,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  recorded_at timestamptz,
  PRIMARY KEY (store_id, refund_id)
);

-- How far the store's changes were read, by the store's own clock.
CREATE TABLE cursors (
  store_id text PRIMARY KEY,
  modified_after timestamptz NOT NULL
);
