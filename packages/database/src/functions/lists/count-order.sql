-- Counts an order in the lists of its merchant.
CREATE OR REPLACE FUNCTION count_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_day(NEW.merchant_id, NEW.mode, 'order', NEW.created_at,
    CASE WHEN TG_OP = 'UPDATE' THEN OLD.state::text END, NEW.state::text);
  RETURN NULL;
END $$;

CREATE TRIGGER orders_inserted_are_counted AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION count_order();
CREATE TRIGGER orders_changed_are_counted AFTER UPDATE ON orders FOR EACH ROW
  WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION count_order();
