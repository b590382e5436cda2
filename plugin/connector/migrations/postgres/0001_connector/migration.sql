-- State that the connector keeps across crashes. Times are milliseconds since 1970, as in SQLite, so that both databases share their queries. They
-- are read from the database's clock, so that several processes agree.

-- Locks. The process that inserts the row holds the lock, until it expires unless renewed, so that a killed process does not keep it.
CREATE TABLE claims (
  name text PRIMARY KEY,
  token uuid NOT NULL,
  expires_at bigint NOT NULL
);

-- One row per attempt to collect payment for a store order. The row, with idempotency key and request, is inserted before the call, so that
-- after a crash or timeout the repeated call returns the same Tillgate order. The current attempt is the one not replaced by a later one.
CREATE TABLE payments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  store_id text NOT NULL,
  store_order_id bigint NOT NULL,
  idempotency_key text NOT NULL UNIQUE,
  request text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- creating: the call's result is not known yet. pending: the order exists at Tillgate, and the shop knows no final status yet.
  -- paid, expired, cancelled, refunded: the final status recorded in the shop. refused: Tillgate rejected the order.
  state text NOT NULL DEFAULT 'creating'
    CHECK (state IN ('creating', 'pending', 'paid', 'expired', 'cancelled', 'refunded', 'refused')),
  tillgate_order_id text,
  payment_url text,
  qr_data text,
  expires_at bigint,
  trx_id text,
  -- Set before the connector cancels the order at Tillgate, so that it recognises the resulting event as its own cancellation.
  cancel_reason text,
  given_up_at bigint,
  created_at bigint NOT NULL,
  -- The credential with which the order was created. Only its secrets verify webhooks about this order.
  mode text CHECK (mode IN ('sandbox', 'live')),
  client_id text,
  replaced_at bigint,
  CONSTRAINT payments_credential CHECK ((mode IS NULL) = (client_id IS NULL)),
  CONSTRAINT payments_known_order CHECK (
    state IN ('creating', 'refused')
    OR (tillgate_order_id IS NOT NULL AND payment_url IS NOT NULL AND expires_at IS NOT NULL)
  ),
  UNIQUE (store_id, tillgate_order_id)
);
CREATE UNIQUE INDEX payments_one_current ON payments (store_id, store_order_id) WHERE replaced_at IS NULL;
CREATE INDEX payments_under_way ON payments (store_id) WHERE state IN ('creating', 'pending');
CREATE INDEX payments_by_transaction ON payments (store_id, trx_id) WHERE trx_id IS NOT NULL;

-- Every verified event, with its body as received. done_at is set once its effect is committed in the shop.
CREATE TABLE events (
  store_id text NOT NULL,
  event_id text NOT NULL,
  event text NOT NULL,
  tillgate_order_id text NOT NULL,
  body text NOT NULL,
  tries integer NOT NULL DEFAULT 1,
  received_at bigint NOT NULL,
  done_at bigint,
  outcome text,
  PRIMARY KEY (store_id, event_id)
);
CREATE INDEX events_by_age ON events (received_at);

-- Refunds at Tillgate, from any source, that are followed until their final status is in the store. Inserted before the store's refund is created.
CREATE TABLE followed_refunds (
  store_id text NOT NULL,
  refund_id text NOT NULL,
  store_order_id bigint NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  -- The ID of the store's refund; null until it is known to exist.
  record_id bigint,
  created_at bigint NOT NULL,
  recorded_at bigint,
  failed_at bigint,
  PRIMARY KEY (store_id, refund_id)
);
CREATE INDEX followed_refunds_of_order ON followed_refunds (store_id, store_order_id);

-- Positions up to which lists were read.
CREATE TABLE cursors (
  store_id text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (store_id, name)
);

-- One row per refund that was created in the shop and is sent to Tillgate. Inserted before the call, so that a repeated call sends the same key,
-- reference and reason.
CREATE TABLE outgoing_refunds (
  store_id text NOT NULL,
  record_id bigint NOT NULL,
  store_order_id bigint NOT NULL,
  tillgate_order_id text NOT NULL,
  trx_id text NOT NULL,
  idempotency_key text NOT NULL,
  reference text NOT NULL,
  reason text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  -- calling: the call's result is not known yet. pending: awaits approval at Tillgate. completed, failed, refused: the final result.
  -- repeated: the shop created the refund of an earlier row again. ignored: created while refunds in the shop were recorded only.
  -- given_up: a person must check it.
  state text NOT NULL DEFAULT 'calling'
    CHECK (state IN ('calling', 'pending', 'completed', 'failed', 'refused', 'repeated', 'ignored', 'given_up')),
  refund_id text,
  -- When it was found deleted in the shop.
  deleted_at bigint,
  created_at bigint NOT NULL,
  PRIMARY KEY (store_id, record_id),
  CONSTRAINT outgoing_refunds_known CHECK (
    state IN ('calling', 'refused', 'ignored', 'given_up') OR refund_id IS NOT NULL
  )
);
-- An idempotency key belongs to one refund of the shop.
CREATE UNIQUE INDEX outgoing_refunds_one_key ON outgoing_refunds (store_id, idempotency_key)
  WHERE state NOT IN ('refused', 'repeated', 'ignored');
CREATE INDEX outgoing_refunds_of_order ON outgoing_refunds (store_id, store_order_id);

-- Scheduled tasks. A claimed task is due again when its lease expires, so that a killed process does not keep it.
CREATE TABLE due (
  store_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('payment', 'order', 'refund')),
  -- The payment's ID, the store's order ID, or Tillgate's refund ID.
  subject text NOT NULL,
  store_order_id bigint NOT NULL,
  due_at bigint NOT NULL,
  -- The due time requested since the task was last claimed.
  wanted_at bigint,
  -- Increases with each claim; only the last claimant may complete the task.
  lease bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  PRIMARY KEY (store_id, kind, subject)
);
CREATE INDEX due_next ON due (store_id, kind, due_at);

-- The latest report on each subject: the last webhook, the last sweep, the clocks.
CREATE TABLE reports (
  store_id text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  reported_at bigint NOT NULL,
  PRIMARY KEY (store_id, name)
);

-- Problems that a person should check.
CREATE TABLE problems (
  store_id text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  store_order_id bigint,
  text text NOT NULL,
  times integer NOT NULL DEFAULT 1,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (store_id, kind, subject)
);
CREATE INDEX problems_by_age ON problems (store_id, last_at);

-- Requests within a minute, by address and order. Unlogged, because the counts need not survive a crash.
CREATE UNLOGGED TABLE requests (
  name text PRIMARY KEY,
  count integer NOT NULL,
  ends_at bigint NOT NULL
);
CREATE INDEX requests_by_end ON requests (ends_at);

-- Comparison of the shop's orders with Tillgate. One row per store: the current run, or the last one.
CREATE TABLE comparisons (
  store_id text PRIMARY KEY,
  -- Increases with each run, so that a process working on an older run cannot change a newer one.
  run bigint NOT NULL,
  asked_by text NOT NULL CHECK (asked_by IN ('night', 'person')),
  started_at bigint NOT NULL,
  -- Null during the run.
  ended_at bigint,
  -- The last payment compared. An interrupted run continues after it.
  after_id bigint NOT NULL DEFAULT 0,
  -- Consecutive failed attempts to compare the next payment.
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  compared integer NOT NULL DEFAULT 0,
  -- Payments that could not be compared.
  skipped integer NOT NULL DEFAULT 0
);

-- Differences that the last comparison of each payment found.
CREATE TABLE differences (
  store_id text NOT NULL,
  payment_id bigint NOT NULL,
  subject text NOT NULL CHECK (subject IN ('order', 'refund', 'record')),
  subject_id text NOT NULL,
  field text NOT NULL,
  kind text NOT NULL,
  repair text,
  store_order_id bigint NOT NULL,
  text text NOT NULL,
  advice text NOT NULL,
  -- The last run that found it.
  run bigint NOT NULL,
  found_at bigint NOT NULL,
  -- When the owner marked this difference as correct.
  accepted_at bigint,
  PRIMARY KEY (store_id, payment_id, subject, subject_id, field)
);
