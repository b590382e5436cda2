-- Ledger rule 6: a refund is added to its order's totals in the statement that writes it, so that the order's check enforces the rule. The
-- order must be paid and have the same merchant, mode and currency (TG095). A completed refund's payer_amount must be the payer_share of
-- its amount (TG096), so that all refunds together return the share of their sum. The caller holds the order's row lock.
CREATE OR REPLACE FUNCTION book_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  completed bigint := CASE WHEN NEW.status = 'completed' THEN NEW.amount ELSE 0 END;
  pending bigint := CASE WHEN NEW.status = 'pending' THEN NEW.amount ELSE 0 END;
  o orders;
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
    WHERE id = NEW.order_id AND (mode, merchant_id, currency) IS NOT DISTINCT FROM (NEW.mode, NEW.merchant_id, NEW.currency) AND status = 'PAID'
    RETURNING * INTO o;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'refund % has no paid order with its merchant and currency', NEW.id USING ERRCODE = 'TG095';
  END IF;
  o.refunded := o.refunded - completed;
  IF completed > 0 AND NEW.payer_amount IS DISTINCT FROM payer_share(o, completed) THEN
    RAISE EXCEPTION 'refund % does not return the payer''s share', NEW.id USING ERRCODE = 'TG096';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER refunds_are_booked AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION book_refund();
CREATE TRIGGER refunds_are_settled AFTER UPDATE ON refunds FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION book_refund();
