-- Checks of payments, looks at store orders and checks of refunds were three tables with one idea. Now what is due is one, and
-- each table has the name of what is in it. Times are milliseconds since 1970, as in SQLite, so that one text of SQL is for both.

CREATE FUNCTION milliseconds(timestamptz) RETURNS bigint LANGUAGE sql
  AS 'SELECT (extract(epoch FROM $1) * 1000)::bigint';

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

INSERT INTO due (store_id, kind, subject, store_order_id, due_at, failures)
  SELECT store_id, 'payment', id::text, store_order_id, milliseconds(next_check_at), failed_checks
  FROM attempts WHERE state IN ('creating', 'pending') AND given_up_at IS NULL;
INSERT INTO due (store_id, kind, subject, store_order_id, due_at, wanted_at, lease, failures)
  SELECT store_id, 'order', store_order_id::text, store_order_id, milliseconds(due_at),
    milliseconds(wanted_at), version, failures
  FROM hints;
INSERT INTO due (store_id, kind, subject, store_order_id, due_at)
  SELECT store_id, 'refund', refund_id, store_order_id,
    milliseconds(coalesce(next_check_at, clock_timestamp()))
  FROM refunds WHERE recorded_at IS NULL AND failed_at IS NULL;
DROP TABLE hints;

-- One row for each try to have a store order paid. The current one is the one that no later one took the place of.
ALTER TABLE attempts RENAME TO payments;
ALTER TABLE payments RENAME CONSTRAINT attempts_known_order TO payments_known_order;
ALTER TABLE payments RENAME CONSTRAINT attempts_credential TO payments_credential;
ALTER INDEX attempts_by_transaction RENAME TO payments_by_transaction;
ALTER TABLE payments ADD COLUMN replaced_at bigint;
UPDATE payments SET replaced_at = milliseconds(updated_at) WHERE NOT is_current;
ALTER TABLE payments
  DROP COLUMN is_current,
  DROP COLUMN next_check_at,
  DROP COLUMN failed_checks,
  DROP COLUMN updated_at,
  ALTER COLUMN created_at DROP DEFAULT;
ALTER TABLE payments
  ALTER COLUMN request TYPE text USING request::text,
  ALTER COLUMN expires_at TYPE bigint USING milliseconds(expires_at),
  ALTER COLUMN given_up_at TYPE bigint USING milliseconds(given_up_at),
  ALTER COLUMN created_at TYPE bigint USING milliseconds(created_at);
CREATE UNIQUE INDEX payments_one_current ON payments (store_id, store_order_id) WHERE replaced_at IS NULL;
CREATE INDEX payments_under_way ON payments (store_id) WHERE state IN ('creating', 'pending');

-- Refunds at Tillgate, whoever made them, that are followed until their end is in the store.
ALTER TABLE refunds RENAME TO followed_refunds;
ALTER INDEX refunds_of_order RENAME TO followed_refunds_of_order;
ALTER TABLE followed_refunds RENAME COLUMN store_refund_id TO record_id;
ALTER TABLE followed_refunds DROP COLUMN next_check_at, ALTER COLUMN created_at DROP DEFAULT;
ALTER TABLE followed_refunds
  ALTER COLUMN created_at TYPE bigint USING milliseconds(created_at),
  ALTER COLUMN recorded_at TYPE bigint USING milliseconds(recorded_at),
  ALTER COLUMN failed_at TYPE bigint USING milliseconds(failed_at);

-- Refunds that were made in the store and go out to Tillgate.
ALTER TABLE shop_refunds RENAME TO outgoing_refunds;
ALTER TABLE outgoing_refunds RENAME CONSTRAINT shop_refunds_known TO outgoing_refunds_known;
ALTER INDEX shop_refunds_one_key RENAME TO outgoing_refunds_one_key;
ALTER INDEX shop_refunds_of_order RENAME TO outgoing_refunds_of_order;
ALTER TABLE outgoing_refunds RENAME COLUMN store_refund_id TO record_id;
ALTER TABLE outgoing_refunds ALTER COLUMN created_at DROP DEFAULT;
ALTER TABLE outgoing_refunds
  ALTER COLUMN deleted_at TYPE bigint USING milliseconds(deleted_at),
  ALTER COLUMN created_at TYPE bigint USING milliseconds(created_at);

ALTER TABLE claims ALTER COLUMN expires_at TYPE bigint USING milliseconds(expires_at);
ALTER TABLE events ALTER COLUMN received_at DROP DEFAULT;
ALTER TABLE events
  ALTER COLUMN received_at TYPE bigint USING milliseconds(received_at),
  ALTER COLUMN done_at TYPE bigint USING milliseconds(done_at);
ALTER TABLE reports ALTER COLUMN reported_at TYPE bigint USING milliseconds(reported_at);
ALTER TABLE problems
  ALTER COLUMN first_at TYPE bigint USING milliseconds(first_at),
  ALTER COLUMN last_at TYPE bigint USING milliseconds(last_at);
ALTER TABLE requests ALTER COLUMN ends_at TYPE bigint USING milliseconds(ends_at);

DROP FUNCTION milliseconds;
