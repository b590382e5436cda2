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
  -- Which credential of Tillgate it was begun with: only its own secrets prove what is told of it. Null for what was begun
  -- before this was kept.
  mode text CHECK (mode IN ('sandbox', 'live')),
  client_id text,
  CONSTRAINT attempts_credential CHECK ((mode IS NULL) = (client_id IS NULL)),
  CONSTRAINT attempts_known_order CHECK (
    state IN ('creating', 'refused')
    OR (tillgate_order_id IS NOT NULL AND payment_url IS NOT NULL AND expires_at IS NOT NULL)
  ),
  UNIQUE (store_id, tillgate_order_id)
);
CREATE UNIQUE INDEX attempts_one_current ON attempts (store_id, store_order_id) WHERE is_current;
CREATE INDEX attempts_due ON attempts (store_id, next_check_at)
  WHERE state IN ('creating', 'pending') AND given_up_at IS NULL;
CREATE INDEX attempts_by_transaction ON attempts (store_id, trx_id) WHERE trx_id IS NOT NULL;

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
  -- One that waits for approval at Tillgate is asked about until it has an end.
  next_check_at timestamptz,
  failed_at timestamptz,
  PRIMARY KEY (store_id, refund_id)
);
CREATE INDEX refunds_of_order ON refunds (store_id, store_order_id);
CREATE INDEX refunds_due ON refunds (store_id, next_check_at)
  WHERE recorded_at IS NULL AND failed_at IS NULL AND next_check_at IS NOT NULL;

-- How far something was read.
CREATE TABLE cursors (
  store_id text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (store_id, name)
);

-- One row for each refund that was made in the shop and is sent to Tillgate, stored before the call: a repeat sends the
-- same key, reference and reason.
CREATE TABLE shop_refunds (
  store_id text NOT NULL,
  store_refund_id bigint NOT NULL,
  store_order_id bigint NOT NULL,
  tillgate_order_id text NOT NULL,
  trx_id text NOT NULL,
  idempotency_key text NOT NULL,
  reference text NOT NULL,
  reason text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  -- calling: the outcome is not known yet. pending: Tillgate waits for an approval. completed, failed, refused: that end
  -- is known. repeated: the refund of an earlier row, made once more in the shop. ignored: made while the shop's refunds
  -- were records only. given_up: a person must look it up.
  state text NOT NULL DEFAULT 'calling'
    CHECK (state IN ('calling', 'pending', 'completed', 'failed', 'refused', 'repeated', 'ignored', 'given_up')),
  refund_id text,
  -- Set when the shop no longer has it.
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (store_id, store_refund_id),
  CONSTRAINT shop_refunds_known CHECK (
    state IN ('calling', 'refused', 'ignored', 'given_up') OR refund_id IS NOT NULL
  )
);
-- A key is sent for one refund of the shop only.
CREATE UNIQUE INDEX shop_refunds_one_key ON shop_refunds (store_id, idempotency_key)
  WHERE state NOT IN ('refused', 'repeated', 'ignored');
CREATE INDEX shop_refunds_of_order ON shop_refunds (store_id, store_order_id);

-- Store orders to be looked at: the shop's webhook or the poll told of a change. wanted_at is what was asked for since it
-- was taken last; the version counts the takings, so that only the newest may end it.
CREATE TABLE hints (
  store_id text NOT NULL,
  store_order_id bigint NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  due_at timestamptz NOT NULL,
  wanted_at timestamptz,
  PRIMARY KEY (store_id, store_order_id)
);
CREATE INDEX hints_due ON hints (store_id, due_at);

-- The newest word about something: the last webhook, the last sweep, the clocks.
CREATE TABLE reports (
  store_id text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (store_id, name)
);

-- What a person should look at.
CREATE TABLE problems (
  store_id text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  store_order_id bigint,
  text text NOT NULL,
  times integer NOT NULL DEFAULT 1,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (store_id, kind, subject)
);
CREATE INDEX problems_by_age ON problems (store_id, last_at);

-- How often was asked within a minute, by address and order. Worth nothing after a crash, so it costs no log.
CREATE UNLOGGED TABLE requests (
  name text PRIMARY KEY,
  count integer NOT NULL,
  ends_at timestamptz NOT NULL
);
CREATE INDEX requests_by_end ON requests (ends_at);
