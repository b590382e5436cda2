-- Counts a payout in the lists of its merchant. At the end of the transaction: a new payout's row comes before all other locks,
-- a decided one's behind them, and whoever held a counter meanwhile could wait in a circle.
CREATE OR REPLACE FUNCTION count_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_day(NEW.merchant_id, NEW.mode, 'payout', NEW.created_at,
    CASE WHEN TG_OP = 'UPDATE' THEN OLD.status::text END, NEW.status::text);
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER payouts_inserted_are_counted AFTER INSERT ON payouts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION count_payout();
CREATE CONSTRAINT TRIGGER payouts_settled_are_counted AFTER UPDATE ON payouts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_payout();
