-- What an order and a refund may be. Rule 6: refunded + pending refunds never exceed what was paid, and an order's sums
-- are those of its refunds.

ALTER TABLE orders
  ADD CONSTRAINT orders_amount CHECK (amount BETWEEN 1 AND 10000000000000),
  ADD CONSTRAINT orders_refunds_within_payment CHECK (refunded >= 0 AND refund_pending >= 0 AND refunded + refund_pending <= amount),
  ADD CONSTRAINT orders_paid_completely CHECK (
    (status = 'PAID') = (paid_at IS NOT NULL AND trx_id IS NOT NULL AND transfer_id IS NOT NULL AND payer_account_id IS NOT NULL)),
  ADD CONSTRAINT orders_unpaid_without_payment CHECK (
    status = 'PAID' OR (paid_at IS NULL AND trx_id IS NULL AND transfer_id IS NULL AND payer_account_id IS NULL
                        AND refunded = 0 AND refund_pending = 0)),
  ADD CONSTRAINT orders_state_is_derived CHECK (state = CASE
    WHEN status <> 'PAID' THEN status::text::order_state
    WHEN refunded = amount THEN 'REFUNDED'::order_state
    WHEN refund_pending > 0 THEN 'REFUND_PENDING'::order_state
    ELSE 'PAID'::order_state END),
  ADD CONSTRAINT orders_version CHECK (version >= 1);

ALTER TABLE refunds
  ADD CONSTRAINT refunds_amount CHECK (amount > 0),
  ADD CONSTRAINT refunds_settled CHECK ((status = 'pending') = (settled_at IS NULL)),
  ADD CONSTRAINT refunds_completed_moved_money CHECK (status <> 'completed' OR transfer_id IS NOT NULL);

ALTER TABLE deliveries
  ADD CONSTRAINT deliveries_one_signer CHECK ((receiver_id IS NULL) <> (credential_id IS NULL)),
  ADD CONSTRAINT deliveries_settled CHECK ((status IN ('delivered', 'failed')) = (settled_at IS NOT NULL));

-- The work lists of the expiry job and of the relay.
CREATE INDEX orders_due ON orders (expires_at) WHERE status = 'PENDING';
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_queued ON deliveries (next_attempt_at) WHERE status = 'queued';

-- One transfer pays one order or one refund.
CREATE UNIQUE INDEX orders_one_per_payment ON orders (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE UNIQUE INDEX refunds_one_per_transfer ON refunds (transfer_id) WHERE transfer_id IS NOT NULL;

CREATE TRIGGER orders_are_kept BEFORE DELETE OR TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refunds_are_kept BEFORE DELETE OR TRUNCATE ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- An order starts pending; a settled order is settled: PENDING is left once, and what was paid stays as it was paid.
-- Its refund sums move only with its refunds (the trigger below runs one level deeper).
CREATE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'PENDING' OR NEW.version <> 1 THEN
      RAISE EXCEPTION 'an order starts pending' USING ERRCODE = 'TG094';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.status <> 'PENDING' AND NEW.status <> OLD.status THEN
    RAISE EXCEPTION 'order % is already %', OLD.id, OLD.status USING ERRCODE = 'TG094';
  END IF;
  IF (NEW.id, NEW.mode, NEW.merchant_id, NEW.credential_id, NEW.amount, NEW.currency, NEW.token, NEW.created_at)
     IS DISTINCT FROM (OLD.id, OLD.mode, OLD.merchant_id, OLD.credential_id, OLD.amount, OLD.currency, OLD.token, OLD.created_at)
     OR (OLD.status = 'PAID' AND (NEW.paid_at, NEW.trx_id, NEW.transfer_id, NEW.payer_account_id)
     IS DISTINCT FROM (OLD.paid_at, OLD.trx_id, OLD.transfer_id, OLD.payer_account_id)) THEN
    RAISE EXCEPTION 'order % keeps its amount and its payment', OLD.id USING ERRCODE = 'TG094';
  END IF;
  IF (NEW.refunded, NEW.refund_pending) IS DISTINCT FROM (OLD.refunded, OLD.refund_pending) AND pg_trigger_depth() = 1 THEN
    RAISE EXCEPTION 'the refund sums of order % move only with its refunds', OLD.id USING ERRCODE = 'TG094';
  END IF;
  IF NEW.version <= OLD.version AND (NEW.state, NEW.refunded, NEW.refund_pending) IS DISTINCT FROM (OLD.state, OLD.refunded, OLD.refund_pending) THEN
    RAISE EXCEPTION 'a change of order % must raise its version', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER orders_are_guarded BEFORE INSERT OR UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION guard_order();

-- A refund is settled once and keeps what it was asked for.
CREATE FUNCTION guard_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'pending' AND (NEW.status, NEW.transfer_id, NEW.settled_at)
     IS DISTINCT FROM (OLD.status, OLD.transfer_id, OLD.settled_at) THEN
    RAISE EXCEPTION 'refund % is already %', OLD.id, OLD.status USING ERRCODE = 'TG095';
  END IF;
  IF (NEW.id, NEW.mode, NEW.merchant_id, NEW.order_id, NEW.amount, NEW.currency, NEW.created_at)
     IS DISTINCT FROM (OLD.id, OLD.mode, OLD.merchant_id, OLD.order_id, OLD.amount, OLD.currency, OLD.created_at) THEN
    RAISE EXCEPTION 'refund % keeps its order and its amount', OLD.id USING ERRCODE = 'TG095';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER refunds_are_guarded BEFORE UPDATE ON refunds FOR EACH ROW EXECUTE FUNCTION guard_refund();

-- A refund counts on its order in the statement that writes it, so rule 6 is the order's own check. Whoever refunds
-- holds the order's row lock already.
CREATE FUNCTION book_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  completed bigint := CASE WHEN NEW.status = 'completed' THEN NEW.amount ELSE 0 END;
  pending bigint := CASE WHEN NEW.status = 'pending' THEN NEW.amount ELSE 0 END;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    -- Only a pending refund changes its status.
    pending := pending - OLD.amount;
  END IF;
  UPDATE orders SET refunded = refunded + completed, refund_pending = refund_pending + pending, version = version + 1,
      state = CASE
        WHEN refunded + completed = amount THEN 'REFUNDED'::order_state
        WHEN refund_pending + pending > 0 THEN 'REFUND_PENDING'::order_state
        ELSE 'PAID'::order_state END
    WHERE id = NEW.order_id AND mode = NEW.mode AND merchant_id = NEW.merchant_id AND currency = NEW.currency AND status = 'PAID';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'refund % is not of a paid order of its merchant and currency', NEW.id USING ERRCODE = 'TG095';
  END IF;
  RETURN NULL;
END $$;

-- Triggers of one event fire by name: these come before the counting ones, so that counters are taken in one order.
CREATE TRIGGER refunds_are_booked AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION book_refund();
CREATE TRIGGER refunds_are_settled AFTER UPDATE ON refunds FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION book_refund();
