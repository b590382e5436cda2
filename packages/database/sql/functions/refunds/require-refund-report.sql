-- Ledger rule 9 for refunds: one that is settled has its event and its transfer at the commit.
CREATE OR REPLACE FUNCTION require_refund_report() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o orders;
BEGIN
  IF NOT EXISTS (SELECT FROM events WHERE order_id = NEW.order_id AND name = 'refund.' || NEW.status
                 AND body::json -> 'data' ->> 'refund_id' = NEW.id) THEN
    RAISE EXCEPTION 'refund % became % without its event', NEW.id, NEW.status USING ERRCODE = 'TG096';
  END IF;
  IF NEW.status = 'completed' THEN
    SELECT * INTO STRICT o FROM orders WHERE id = NEW.order_id;
    IF refund_lines_missing(NEW, o) THEN
      RAISE EXCEPTION 'refund % completed without its transfer', NEW.id USING ERRCODE = 'TG096';
    END IF;
    -- The order's sums are those of the commit, so all of its refunds are looked at together.
    IF (SELECT sum(payer_amount) FROM refunds WHERE order_id = o.id) <> div(o.payer_amount::numeric * o.refunded, o.amount) THEN
      RAISE EXCEPTION 'the refunds of order % do not give back the payer''s share', o.id USING ERRCODE = 'TG096';
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER refunds_are_reported AFTER INSERT OR UPDATE ON refunds DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status <> 'pending') EXECUTE FUNCTION require_refund_report();
