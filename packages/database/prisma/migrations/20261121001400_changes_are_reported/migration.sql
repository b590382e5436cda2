-- Ledger rule 9: a change of state, its money and its event are one transaction. The functions above write all of it;
-- these checks, at the commit, refuse a transaction that left a part out.

CREATE FUNCTION require_order_report() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  expected text := CASE WHEN NEW.state = 'REFUNDED' THEN 'pos.order.refunded' ELSE 'pos.order.' || lower(NEW.status::text) END;
BEGIN
  IF NOT EXISTS (SELECT FROM events WHERE order_id = NEW.id AND name = expected) THEN
    RAISE EXCEPTION 'order % became % without the event %', NEW.id, NEW.state, expected USING ERRCODE = 'TG096';
  END IF;
  IF OLD.status = 'PENDING' AND NEW.status = 'PAID' AND NOT EXISTS (
      SELECT FROM transfers t
      JOIN entries debit ON debit.transfer_id = t.id AND debit.account_id = NEW.payer_account_id AND debit.amount = -NEW.amount
      JOIN entries credit ON credit.transfer_id = t.id AND credit.amount = NEW.amount AND credit.currency = NEW.currency
      JOIN accounts merchant ON merchant.id = credit.account_id AND merchant.merchant_id = NEW.merchant_id AND merchant.kind = 'merchant'
      WHERE t.id = NEW.transfer_id AND t.kind = 'payment') THEN
    RAISE EXCEPTION 'order % became PAID without its payment', NEW.id USING ERRCODE = 'TG096';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER orders_are_reported AFTER UPDATE ON orders DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION require_order_report();

CREATE FUNCTION require_refund_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM events WHERE order_id = NEW.order_id AND name = 'refund.' || NEW.status
                 AND body::json -> 'data' ->> 'refund_id' = NEW.id) THEN
    RAISE EXCEPTION 'refund % became % without its event', NEW.id, NEW.status USING ERRCODE = 'TG096';
  END IF;
  IF NEW.status = 'completed' AND NOT EXISTS (
      SELECT FROM transfers t JOIN orders o ON o.id = NEW.order_id
      JOIN entries credit ON credit.transfer_id = t.id AND credit.account_id = o.payer_account_id AND credit.amount = NEW.amount
      JOIN entries debit ON debit.transfer_id = t.id AND debit.amount = -NEW.amount
      JOIN accounts merchant ON merchant.id = debit.account_id AND merchant.merchant_id = NEW.merchant_id
      WHERE t.id = NEW.transfer_id AND t.kind = 'refund') THEN
    RAISE EXCEPTION 'refund % completed without its transfer', NEW.id USING ERRCODE = 'TG096';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER refunds_are_reported AFTER INSERT OR UPDATE ON refunds DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status <> 'pending') EXECUTE FUNCTION require_refund_report();
