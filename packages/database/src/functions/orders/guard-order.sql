-- An order starts as PENDING, leaves PENDING once, and is created and paid at the database's current time. Its amount, its payment and the
-- fields reported in its events are immutable. Its refund totals are changed only by the refund trigger book_refund (so
-- pg_trigger_depth() is above 1). A change of state or totals must increase the version. Violations raise TG094.
CREATE OR REPLACE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'PENDING' OR NEW.version <> 1 THEN
      RAISE EXCEPTION 'an order must be created as PENDING' USING ERRCODE = 'TG094';
    END IF;
    IF NOT is_now(NEW.created_at) THEN
      RAISE EXCEPTION 'order % must be created at the current time', NEW.id USING ERRCODE = 'TG094';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.status <> 'PENDING' AND NEW.status <> OLD.status THEN
    RAISE EXCEPTION 'order % is already %', OLD.id, OLD.status USING ERRCODE = 'TG094';
  END IF;
  IF NEW.paid_at IS DISTINCT FROM OLD.paid_at AND NOT is_now(NEW.paid_at) THEN
    RAISE EXCEPTION 'order % must be paid at the current time', OLD.id USING ERRCODE = 'TG094';
  END IF;
  IF (NEW.id, NEW.mode, NEW.merchant_id, NEW.credential_id, NEW.amount, NEW.currency, NEW.token, NEW.created_at, NEW.create_request_id, NEW.traceparent)
     IS DISTINCT FROM (OLD.id, OLD.mode, OLD.merchant_id, OLD.credential_id, OLD.amount, OLD.currency, OLD.token, OLD.created_at, OLD.create_request_id, OLD.traceparent)
     OR (OLD.status = 'PAID' AND (NEW.paid_at, NEW.trx_id, NEW.transfer_id, NEW.payer_account_id, NEW.payer_currency, NEW.payer_amount, NEW.quote_id, NEW.pay_request_id)
     IS DISTINCT FROM (OLD.paid_at, OLD.trx_id, OLD.transfer_id, OLD.payer_account_id, OLD.payer_currency, OLD.payer_amount, OLD.quote_id, OLD.pay_request_id)) THEN
    RAISE EXCEPTION 'order %: amount and payment are immutable', OLD.id USING ERRCODE = 'TG094';
  END IF;
  IF (NEW.reference, NEW.description, NEW.terminal_id, NEW.order_number, NEW.custom, NEW.metadata)
     IS DISTINCT FROM (OLD.reference, OLD.description, OLD.terminal_id, OLD.order_number, OLD.custom, OLD.metadata) THEN
    RAISE EXCEPTION 'order %: fields reported in its events are immutable', OLD.id USING ERRCODE = 'TG094';
  END IF;
  IF (NEW.refunded, NEW.refund_pending) IS DISTINCT FROM (OLD.refunded, OLD.refund_pending) AND pg_trigger_depth() = 1 THEN
    RAISE EXCEPTION 'order %: refund totals can only be changed by its refunds', OLD.id USING ERRCODE = 'TG094';
  END IF;
  IF NEW.version <= OLD.version AND (NEW.state, NEW.refunded, NEW.refund_pending) IS DISTINCT FROM (OLD.state, OLD.refunded, OLD.refund_pending) THEN
    RAISE EXCEPTION 'order %: a change must increase the version', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER orders_are_guarded BEFORE INSERT OR UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION guard_order();
