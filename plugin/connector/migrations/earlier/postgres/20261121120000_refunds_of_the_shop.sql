-- Refunds that are made in the shop, orders to look at, and what the health panel shows.

CREATE INDEX attempts_by_transaction ON attempts (store_id, trx_id) WHERE trx_id IS NOT NULL;

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

-- A refund that waits for approval at Tillgate is asked about until it has an end.
ALTER TABLE refunds
  ADD COLUMN next_check_at timestamptz,
  ADD COLUMN failed_at timestamptz;
CREATE INDEX refunds_of_order ON refunds (store_id, store_order_id);
CREATE INDEX refunds_due ON refunds (store_id, next_check_at)
  WHERE recorded_at IS NULL AND failed_at IS NULL AND next_check_at IS NOT NULL;

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

-- Several things are read on from where they were read to.
ALTER TABLE cursors ADD COLUMN name text NOT NULL DEFAULT 'changes', ADD COLUMN value text;
UPDATE cursors SET value = to_char(modified_after AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
ALTER TABLE cursors
  ALTER COLUMN value SET NOT NULL,
  ALTER COLUMN name DROP DEFAULT,
  DROP COLUMN modified_after,
  DROP CONSTRAINT cursors_pkey,
  ADD PRIMARY KEY (store_id, name);

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
