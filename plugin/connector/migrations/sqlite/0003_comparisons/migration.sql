-- The shop's books compared with Tillgate's. One row for each store: the run that is under way, or the last one.
CREATE TABLE comparisons (
  store_id TEXT PRIMARY KEY,
  -- Counts up, so that who works on an older run changes nothing of a newer one.
  run INTEGER NOT NULL,
  asked_by TEXT NOT NULL CHECK (asked_by IN ('night', 'person')),
  started_at INTEGER NOT NULL,
  -- Null while it is under way.
  ended_at INTEGER,
  -- The last payment that was compared: a run that was interrupted goes on after it.
  after_id INTEGER NOT NULL DEFAULT 0,
  -- Failed tries in a row to compare the payment after it.
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  compared INTEGER NOT NULL DEFAULT 0,
  -- Payments that could not be compared.
  skipped INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What the last comparison of each payment found.
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
  -- The run that saw it last.
  run INTEGER NOT NULL,
  found_at INTEGER NOT NULL,
  PRIMARY KEY (store_id, payment_id, subject, subject_id, field)
) STRICT;
