-- Ledger rule 9, checked at commit: an order that becomes paid, expired, cancelled or fully refunded needs the matching event, and a paid
-- order also needs its payment (TG096). A pending refund also changes the state, but needs no event. require_account_of_transfer compares
-- the lines of the payment.
CREATE OR REPLACE FUNCTION require_order_report() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  expected text := CASE WHEN NEW.state = 'REFUNDED' THEN 'pos.order.refunded' ELSE 'pos.order.' || lower(NEW.status::text) END;
BEGIN
  -- The LIKE condition lets PostgreSQL use the index of events by order.
  IF OLD.status = 'PENDING' AND NEW.status = 'PAID' THEN
    -- LATERAL with LIMIT forces a lookup by ID, as in book_entries.
    IF NOT EXISTS (SELECT FROM events v CROSS JOIN LATERAL (SELECT mode, kind FROM transfers WHERE id = NEW.transfer_id LIMIT 1) t
        WHERE t.mode = NEW.mode AND t.kind = 'payment' AND v.order_id = NEW.id AND v.name = expected AND v.name LIKE 'pos.order.%') THEN
      RAISE EXCEPTION 'order % became PAID without its payment and event', NEW.id USING ERRCODE = 'TG096';
    END IF;
  ELSIF NEW.status <> OLD.status OR NEW.state = 'REFUNDED' THEN
    IF NOT EXISTS (SELECT FROM events WHERE order_id = NEW.id AND name = expected AND name LIKE 'pos.order.%') THEN
      RAISE EXCEPTION 'order % became % without event %', NEW.id, NEW.state, expected USING ERRCODE = 'TG096';
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER orders_are_reported AFTER UPDATE ON orders DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION require_order_report();
