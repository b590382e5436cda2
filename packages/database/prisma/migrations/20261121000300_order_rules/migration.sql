-- What an order and a refund may be. Rule 6: refunded + pending refunds never exceed what was paid.

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

-- A settled order is settled: PENDING is left once, and what was paid stays as it was paid.
CREATE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'PENDING' AND NEW.status <> OLD.status THEN
    RAISE EXCEPTION 'order % is already %', OLD.id, OLD.status USING ERRCODE = 'TG094';
  END IF;
  IF (NEW.id, NEW.mode, NEW.merchant_id, NEW.amount, NEW.currency, NEW.token)
     IS DISTINCT FROM (OLD.id, OLD.mode, OLD.merchant_id, OLD.amount, OLD.currency, OLD.token)
     OR (OLD.status = 'PAID' AND (NEW.paid_at, NEW.trx_id, NEW.transfer_id, NEW.payer_account_id)
     IS DISTINCT FROM (OLD.paid_at, OLD.trx_id, OLD.transfer_id, OLD.payer_account_id)) THEN
    RAISE EXCEPTION 'order % keeps its amount and its payment', OLD.id USING ERRCODE = 'TG094';
  END IF;
  IF NEW.version <= OLD.version AND (NEW.state, NEW.refunded, NEW.refund_pending) IS DISTINCT FROM (OLD.state, OLD.refunded, OLD.refund_pending) THEN
    RAISE EXCEPTION 'a change of order % must raise its version', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER orders_are_guarded BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION guard_order();
