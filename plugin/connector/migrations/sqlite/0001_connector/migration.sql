-- What the connector must remember over a crash, as its PostgreSQL database has it. Times are milliseconds since 1970, by
-- SQLite's own clock.

CREATE TABLE claims (
  name TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  store_id TEXT NOT NULL,
  store_order_id INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL UNIQUE,
  request TEXT NOT NULL CHECK (json_valid(request)),
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  currency TEXT NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
  state TEXT NOT NULL DEFAULT 'creating'
    CHECK (state IN ('creating', 'pending', 'paid', 'expired', 'cancelled', 'refunded', 'refused')),
  is_current INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1)),
  tillgate_order_id TEXT,
  payment_url TEXT,
  qr_data TEXT,
  expires_at INTEGER,
  trx_id TEXT,
  cancel_reason TEXT,
  next_check_at INTEGER NOT NULL,
  failed_checks INTEGER NOT NULL DEFAULT 0 CHECK (failed_checks >= 0),
  given_up_at INTEGER,
  created_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  updated_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  mode TEXT CHECK (mode IN ('sandbox', 'live')),
  client_id TEXT CHECK ((mode IS NULL) = (client_id IS NULL)),
  CONSTRAINT attempts_known_order CHECK (
    state IN ('creating', 'refused')
    OR (tillgate_order_id IS NOT NULL AND payment_url IS NOT NULL AND expires_at IS NOT NULL)
  ),
  UNIQUE (store_id, tillgate_order_id)
) STRICT;
CREATE UNIQUE INDEX attempts_one_current ON attempts (store_id, store_order_id) WHERE is_current;
CREATE INDEX attempts_due ON attempts (store_id, next_check_at)
  WHERE state IN ('creating', 'pending') AND given_up_at IS NULL;
CREATE INDEX attempts_by_transaction ON attempts (store_id, trx_id) WHERE trx_id IS NOT NULL;

CREATE TABLE events (
  store_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event TEXT NOT NULL,
  tillgate_order_id TEXT NOT NULL,
  body TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 1,
  received_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  done_at INTEGER,
  outcome TEXT,
  PRIMARY KEY (store_id, event_id)
) STRICT;
CREATE INDEX events_by_age ON events (received_at);

CREATE TABLE refunds (
  store_id TEXT NOT NULL,
  refund_id TEXT NOT NULL,
  store_order_id INTEGER NOT NULL,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  currency TEXT NOT NULL,
  store_refund_id INTEGER,
  created_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  recorded_at INTEGER,
  next_check_at INTEGER,
  failed_at INTEGER,
  PRIMARY KEY (store_id, refund_id)
) STRICT;
CREATE INDEX refunds_of_order ON refunds (store_id, store_order_id);
CREATE INDEX refunds_due ON refunds (store_id, next_check_at)
  WHERE recorded_at IS NULL AND failed_at IS NULL AND next_check_at IS NOT NULL;

CREATE TABLE shop_refunds (
  store_id TEXT NOT NULL,
  store_refund_id INTEGER NOT NULL,
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
  created_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  PRIMARY KEY (store_id, store_refund_id),
  CONSTRAINT shop_refunds_known CHECK (
    state IN ('calling', 'refused', 'ignored', 'given_up') OR refund_id IS NOT NULL
  )
) STRICT;
CREATE UNIQUE INDEX shop_refunds_one_key ON shop_refunds (store_id, idempotency_key)
  WHERE state NOT IN ('refused', 'repeated', 'ignored');
CREATE INDEX shop_refunds_of_order ON shop_refunds (store_id, store_order_id);

CREATE TABLE hints (
  store_id TEXT NOT NULL,
  store_order_id INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  due_at INTEGER NOT NULL,
  wanted_at INTEGER,
  PRIMARY KEY (store_id, store_order_id)
) STRICT;
CREATE INDEX hints_due ON hints (store_id, due_at);

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
