-- What the connector must remember over a crash. Times are milliseconds since 1970, as in SQLite, so that one text of SQL is for both; they are
-- the database's own, so that several processes agree.

-- Who is working on something now. The insert wins; a claim that was not kept is free again when it expires, so that a
-- process that was killed holds nothing for longer than that.
CREATE TABLE claims (
  name text PRIMARY KEY,
  token uuid NOT NULL,
  expires_at bigint NOT NULL
);

-- One row for each try to have a store order paid. The row, with its idempotency key and the request, is stored before
-- the call: after a crash or a timeout the same call is repeated and finds the same Tillgate order. The current one is the one
-- that no later one took the place of.
CREATE TABLE payments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  store_id text NOT NULL,
  store_order_id bigint NOT NULL,
  idempotency_key text NOT NULL UNIQUE,
  request text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- creating: the call's outcome is not known yet. pending: Tillgate has it and the shop does not know an end of it.
  -- paid, expired, cancelled, refunded: that end is in the shop. refused: Tillgate made no order of it.
  state text NOT NULL DEFAULT 'creating'
    CHECK (state IN ('creating', 'pending', 'paid', 'expired', 'cancelled', 'refunded', 'refused')),
  tillgate_order_id text,
  payment_url text,
  qr_data text,
  expires_at bigint,
  trx_id text,
  -- Set before the connector asks Tillgate to cancel, so that the event that follows is known as its own doing.
  cancel_reason text,
  given_up_at bigint,
  created_at bigint NOT NULL,
  -- Which credential of Tillgate it was begun with: only its own secrets prove what is told of it.
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

-- Every event that was verified, its body as received. done_at is set when its effect is durable in the shop.
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

-- Refunds at Tillgate, whoever made them, that are followed until their end is in the store. Stored before the store's record is made.
CREATE TABLE followed_refunds (
  store_id text NOT NULL,
  refund_id text NOT NULL,
  store_order_id bigint NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  -- The store's own number of the record; null while it is not known to be there.
  record_id bigint,
  created_at bigint NOT NULL,
  recorded_at bigint,
  failed_at bigint,
  PRIMARY KEY (store_id, refund_id)
);
CREATE INDEX followed_refunds_of_order ON followed_refunds (store_id, store_order_id);

-- How far something was read.
CREATE TABLE cursors (
  store_id text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (store_id, name)
);

-- One row for each refund that was made in the shop and is sent to Tillgate, stored before the call: a repeat sends the
-- same key, reference and reason.
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
  -- calling: the outcome is not known yet. pending: Tillgate waits for an approval. completed, failed, refused: that end
  -- is known. repeated: the refund of an earlier row, made once more in the shop. ignored: made while the shop's refunds
  -- were records only. given_up: a person must look it up.
  state text NOT NULL DEFAULT 'calling'
    CHECK (state IN ('calling', 'pending', 'completed', 'failed', 'refused', 'repeated', 'ignored', 'given_up')),
  refund_id text,
  -- Set when the shop no longer has it.
  deleted_at bigint,
  created_at bigint NOT NULL,
  PRIMARY KEY (store_id, record_id),
  CONSTRAINT outgoing_refunds_known CHECK (
    state IN ('calling', 'refused', 'ignored', 'given_up') OR refund_id IS NOT NULL
  )
);
-- A key is sent for one refund of the shop only.
CREATE UNIQUE INDEX outgoing_refunds_one_key ON outgoing_refunds (store_id, idempotency_key)
  WHERE state NOT IN ('refused', 'repeated', 'ignored');
CREATE INDEX outgoing_refunds_of_order ON outgoing_refunds (store_id, store_order_id);

-- What is to be done at a time. One that was taken is due again when its lease ends, so that a process that is killed holds
-- nothing for longer than that.
CREATE TABLE due (
  store_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('payment', 'order', 'refund')),
  -- The payment's id, the store's number of the order, or Tillgate's of the refund.
  subject text NOT NULL,
  store_order_id bigint NOT NULL,
  due_at bigint NOT NULL,
  -- What was asked for since it was taken last.
  wanted_at bigint,
  -- How often it was taken: only who took it last may settle it.
  lease bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  PRIMARY KEY (store_id, kind, subject)
);
CREATE INDEX due_next ON due (store_id, kind, due_at);

-- The newest word about something: the last webhook, the last sweep, the clocks.
CREATE TABLE reports (
  store_id text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  reported_at bigint NOT NULL,
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
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (store_id, kind, subject)
);
CREATE INDEX problems_by_age ON problems (store_id, last_at);

-- How often was asked within a minute, by address and order. Worth nothing after a crash, so it costs no log.
CREATE UNLOGGED TABLE requests (
  name text PRIMARY KEY,
  count integer NOT NULL,
  ends_at bigint NOT NULL
);
CREATE INDEX requests_by_end ON requests (ends_at);

-- The shop's books compared with Tillgate's. One row for each store: the run that is under way, or the last one.
CREATE TABLE comparisons (
  store_id text PRIMARY KEY,
  -- Counts up, so that who works on an older run changes nothing of a newer one.
  run bigint NOT NULL,
  asked_by text NOT NULL CHECK (asked_by IN ('night', 'person')),
  started_at bigint NOT NULL,
  -- Null while it is under way.
  ended_at bigint,
  -- The last payment that was compared: a run that was interrupted goes on after it.
  after_id bigint NOT NULL DEFAULT 0,
  -- Failed tries in a row to compare the payment after it.
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  compared integer NOT NULL DEFAULT 0,
  -- Payments that could not be compared.
  skipped integer NOT NULL DEFAULT 0
);

-- What the last comparison of each payment found.
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
  -- The run that saw it last.
  run bigint NOT NULL,
  found_at bigint NOT NULL,
  -- Set where the owner said that this very difference is right as it is.
  accepted_at bigint,
  PRIMARY KEY (store_id, payment_id, subject, subject_id, field)
);
