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
  PRIMARY KEY (store_id, payment_id, subject, subject_id, field)
);
