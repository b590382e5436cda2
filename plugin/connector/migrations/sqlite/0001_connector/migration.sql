-- State that the connector keeps across crashes; the comments are in the PostgreSQL migration. Times are milliseconds since 1970, read from
-- SQLite's clock.

CREATE TABLE claims (
  name TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  store_id TEXT NOT NULL,
  store_order_id INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL UNIQUE,
  request TEXT NOT NULL CHECK (json_valid(request)),
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  currency TEXT NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
  state TEXT NOT NULL DEFAULT 'creating'
    CHECK (state IN ('creating', 'pending', 'paid', 'expired', 'cancelled', 'refunded', 'refused')),
  tillgate_order_id TEXT,
  payment_url TEXT,
  qr_data TEXT,
  expires_at INTEGER,
  trx_id TEXT,
  cancel_reason TEXT,
  given_up_at INTEGER,
  created_at INTEGER NOT NULL,
  mode TEXT CHECK (mode IN ('sandbox', 'live')),
  client_id TEXT CHECK ((mode IS NULL) = (client_id IS NULL)),
  replaced_at INTEGER,
  CONSTRAINT payments_known_order CHECK (
    state IN ('creating', 'refused')
    OR (tillgate_order_id IS NOT NULL AND payment_url IS NOT NULL AND expires_at IS NOT NULL)
  ),
  UNIQUE (store_id, tillgate_order_id)
) STRICT;
CREATE UNIQUE INDEX payments_one_current ON payments (store_id, store_order_id) WHERE replaced_at IS NULL;
CREATE INDEX payments_under_way ON payments (store_id) WHERE state IN ('creating', 'pending');
CREATE INDEX payments_by_transaction ON payments (store_id, trx_id) WHERE trx_id IS NOT NULL;

CREATE TABLE events (
  store_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event TEXT NOT NULL,
  tillgate_order_id TEXT NOT NULL,
  body TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 1,
  received_at INTEGER NOT NULL,
  done_at INTEGER,
  outcome TEXT,
  PRIMARY KEY (store_id, event_id)
) STRICT;
CREATE INDEX events_by_age ON events (received_at);

CREATE TABLE followed_refunds (
  store_id TEXT NOT NULL,
  refund_id TEXT NOT NULL,
  store_order_id INTEGER NOT NULL,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  currency TEXT NOT NULL,
  record_id INTEGER,
  created_at INTEGER NOT NULL,
  recorded_at INTEGER,
  failed_at INTEGER,
  PRIMARY KEY (store_id, refund_id)
) STRICT;
CREATE INDEX followed_refunds_of_order ON followed_refunds (store_id, store_order_id);

CREATE TABLE outgoing_refunds (
  store_id TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  store_order_id INTEGER NOT NULL,
  tillgate_order_id TEXT NOT NULL,
  trx_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  reference TEXT NOT NULL,
  reason TEXT NOT NULL,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  currency TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'calling'
    CHECK (state IN ('calling', 'pending', 'completed', 'failed', 'refused', 'repeated', 'ignored', 'given_up')),
  refund_id TEXT,
  deleted_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (store_id, record_id),
  CONSTRAINT outgoing_refunds_known CHECK (
    state IN ('calling', 'refused', 'ignored', 'given_up') OR refund_id IS NOT NULL
  )
) STRICT;
CREATE UNIQUE INDEX outgoing_refunds_one_key ON outgoing_refunds (store_id, idempotency_key)
  WHERE state NOT IN ('refused', 'repeated', 'ignored');
CREATE INDEX outgoing_refunds_of_order ON outgoing_refunds (store_id, store_order_id);

CREATE TABLE due (
  store_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'order', 'refund')),
  subject TEXT NOT NULL,
  store_order_id INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  wanted_at INTEGER,
  lease INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  PRIMARY KEY (store_id, kind, subject)
) STRICT;
CREATE INDEX due_next ON due (store_id, kind, due_at);

CREATE TABLE cursors (
  store_id TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (store_id, name)
) STRICT;

CREATE TABLE reports (
  store_id TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  reported_at INTEGER NOT NULL,
  PRIMARY KEY (store_id, name)
) STRICT;

CREATE TABLE problems (
  store_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  store_order_id INTEGER,
  text TEXT NOT NULL,
  times INTEGER NOT NULL DEFAULT 1,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (store_id, kind, subject)
) STRICT;
CREATE INDEX problems_by_age ON problems (store_id, last_at);

CREATE TABLE requests (
  name TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX requests_by_end ON requests (ends_at);

-- Comparison of the shop's orders with Tillgate. One row per store: the current run, or the last one.
CREATE TABLE comparisons (
  store_id TEXT PRIMARY KEY,
  -- Increases with each run, so that a process working on an older run cannot change a newer one.
  run INTEGER NOT NULL,
  asked_by TEXT NOT NULL CHECK (asked_by IN ('night', 'person')),
  started_at INTEGER NOT NULL,
  -- Null during the run.
  ended_at INTEGER,
  -- The last payment compared. An interrupted run continues after it.
  after_id INTEGER NOT NULL DEFAULT 0,
  -- Consecutive failed attempts to compare the next payment.
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  compared INTEGER NOT NULL DEFAULT 0,
  -- Payments that could not be compared.
  skipped INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Differences that the last comparison of each payment found.
CREATE TABLE differences (
  store_id TEXT NOT NULL,
  payment_id INTEGER NOT NULL,
  subject TEXT NOT NULL CHECK (subject IN ('order', 'refund', 'record')),
  subject_id TEXT NOT NULL,
  field TEXT NOT NULL,
  kind TEXT NOT NULL,
  repair TEXT,
  store_order_id INTEGER NOT NULL,
  text TEXT NOT NULL,
  advice TEXT NOT NULL,
  -- The last run that found it.
  run INTEGER NOT NULL,
  found_at INTEGER NOT NULL,
  -- When the owner marked this difference as correct.
  accepted_at INTEGER,
  PRIMARY KEY (store_id, payment_id, subject, subject_id, field)
) STRICT;
