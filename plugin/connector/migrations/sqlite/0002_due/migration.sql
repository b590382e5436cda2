-- What is due is one table, and each table has the name of what is in it, as in the PostgreSQL database.

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

INSERT INTO due (store_id, kind, subject, store_order_id, due_at, failures)
  SELECT store_id, 'payment', CAST(id AS TEXT), store_order_id, next_check_at, failed_checks
  FROM attempts WHERE state IN ('creating', 'pending') AND given_up_at IS NULL;
INSERT INTO due (store_id, kind, subject, store_order_id, due_at, wanted_at, lease, failures)
  SELECT store_id, 'order', CAST(store_order_id AS TEXT), store_order_id, due_at, wanted_at, version, failures
  FROM hints;
INSERT INTO due (store_id, kind, subject, store_order_id, due_at)
  SELECT store_id, 'refund', refund_id, store_order_id,
    coalesce(next_check_at, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  FROM refunds WHERE recorded_at IS NULL AND failed_at IS NULL;
DROP TABLE hints;

DROP INDEX attempts_one_current;
DROP INDEX attempts_due;
DROP INDEX attempts_by_transaction;
ALTER TABLE attempts RENAME TO payments;
ALTER TABLE payments ADD COLUMN replaced_at INTEGER;
UPDATE payments SET replaced_at = updated_at WHERE NOT is_current;
ALTER TABLE payments DROP COLUMN is_current;
ALTER TABLE payments DROP COLUMN next_check_at;
ALTER TABLE payments DROP COLUMN failed_checks;
ALTER TABLE payments DROP COLUMN updated_at;
CREATE UNIQUE INDEX payments_one_current ON payments (store_id, store_order_id) WHERE replaced_at IS NULL;
CREATE INDEX payments_under_way ON payments (store_id) WHERE state IN ('creating', 'pending');
CREATE INDEX payments_by_transaction ON payments (store_id, trx_id) WHERE trx_id IS NOT NULL;

DROP INDEX refunds_due;
DROP INDEX refunds_of_order;
ALTER TABLE refunds RENAME TO followed_refunds;
ALTER TABLE followed_refunds RENAME COLUMN store_refund_id TO record_id;
ALTER TABLE followed_refunds DROP COLUMN next_check_at;
CREATE INDEX followed_refunds_of_order ON followed_refunds (store_id, store_order_id);

DROP INDEX shop_refunds_one_key;
DROP INDEX shop_refunds_of_order;
ALTER TABLE shop_refunds RENAME TO outgoing_refunds;
ALTER TABLE outgoing_refunds RENAME COLUMN store_refund_id TO record_id;
CREATE UNIQUE INDEX outgoing_refunds_one_key ON outgoing_refunds (store_id, idempotency_key)
  WHERE state NOT IN ('refused', 'repeated', 'ignored');
CREATE INDEX outgoing_refunds_of_order ON outgoing_refunds (store_id, store_order_id);
