-- Keeps day_counts true in the transaction of the change. The slot comes from the backend's process id: two
-- transactions at the same time are two backends, so they rarely meet on one counter. Those that do must not wait for
-- each other in a circle: all rows of one change are taken in one statement, sorted; orders before refunds; and what
-- changes many orders in one transaction (expire_due_orders) goes through them by merchant, mode and day.

-- Counts one row out of p_before and into p_after; either may be null.
CREATE FUNCTION count_day(p_merchant_id uuid, p_mode mode, p_kind counted_kind, p_created_at timestamptz, p_before text, p_after text)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO day_counts AS c (merchant_id, mode, kind, day, status, slot, count)
  SELECT p_merchant_id, p_mode, p_kind, (p_created_at AT TIME ZONE 'UTC')::date, status, pg_backend_pid() % 16, change
  FROM (VALUES (p_before, -1), (p_after, 1)) AS changes (status, change) WHERE status IS NOT NULL ORDER BY status
  ON CONFLICT (merchant_id, mode, kind, day, status, slot) DO UPDATE SET count = c.count + EXCLUDED.count
$$;

CREATE FUNCTION count_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_day(NEW.merchant_id, NEW.mode, 'order', NEW.created_at,
    CASE WHEN TG_OP = 'UPDATE' THEN OLD.state::text END, NEW.state::text);
  RETURN NULL;
END $$;

CREATE TRIGGER orders_inserted_are_counted AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION count_order();
CREATE TRIGGER orders_changed_are_counted AFTER UPDATE ON orders FOR EACH ROW
  WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION count_order();

CREATE FUNCTION count_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_day(NEW.merchant_id, NEW.mode, 'refund', NEW.created_at,
    CASE WHEN TG_OP = 'UPDATE' THEN OLD.status::text END, NEW.status::text);
  RETURN NULL;
END $$;

CREATE TRIGGER refunds_inserted_are_counted AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION count_refund();
CREATE TRIGGER refunds_settled_are_counted AFTER UPDATE ON refunds FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_refund();
