-- Counts a refund in the lists of its merchant.
CREATE OR REPLACE FUNCTION count_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_day(NEW.merchant_id, NEW.mode, 'refund', NEW.created_at,
    CASE WHEN TG_OP = 'UPDATE' THEN OLD.status::text END, NEW.status::text);
  RETURN NULL;
END $$;

CREATE TRIGGER refunds_inserted_are_counted AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION count_refund();
CREATE TRIGGER refunds_settled_are_counted AFTER UPDATE ON refunds FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_refund();
