-- Counts an order, refund or payout in the lists of its merchant.
CREATE OR REPLACE FUNCTION count_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A new row has no OLD: its status is null.
  IF TG_TABLE_NAME = 'orders' THEN
    PERFORM count_day(NEW.merchant_id, NEW.mode, 'order', NEW.created_at, OLD.state::text, NEW.state::text);
  ELSE
    PERFORM count_day(NEW.merchant_id, NEW.mode, TG_ARGV[0]::counted_kind, NEW.created_at, OLD.status::text, NEW.status::text);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER orders_inserted_are_counted AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE TRIGGER orders_changed_are_counted AFTER UPDATE ON orders FOR EACH ROW
  WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION count_row();
CREATE TRIGGER refunds_inserted_are_counted AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION count_row('refund');
CREATE TRIGGER refunds_settled_are_counted AFTER UPDATE ON refunds FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_row('refund');

-- At the end of the transaction: a new payout's row comes before all other locks, a decided one's behind them. A
-- transaction that held a counter meanwhile could deadlock.
CREATE CONSTRAINT TRIGGER payouts_inserted_are_counted AFTER INSERT ON payouts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION count_row('payout');
CREATE CONSTRAINT TRIGGER payouts_settled_are_counted AFTER UPDATE ON payouts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_row('payout');
