-- Keeps day_counts true in the transaction of the change. The slot comes from the backend's process id: two
-- transactions at the same time are two backends, so they rarely meet on one counter.

CREATE FUNCTION count_day(p_merchant_id uuid, p_mode mode, p_kind counted_kind, p_created_at timestamptz, p_status text, p_change int)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO day_counts AS c (merchant_id, mode, kind, day, status, slot, count)
  VALUES (p_merchant_id, p_mode, p_kind, (p_created_at AT TIME ZONE 'UTC')::date, p_status, pg_backend_pid() % 16, p_change)
  ON CONFLICT (merchant_id, mode, kind, day, status, slot) DO UPDATE SET count = c.count + EXCLUDED.count
$$;

CREATE FUNCTION count_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM count_day(OLD.merchant_id, OLD.mode, 'order', OLD.created_at, OLD.state::text, -1);
  END IF;
  PERFORM count_day(NEW.merchant_id, NEW.mode, 'order', NEW.created_at, NEW.state::text, 1);
  RETURN NULL;
END $$;

CREATE TRIGGER orders_inserted_are_counted AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION count_orders();
CREATE TRIGGER orders_changed_are_counted AFTER UPDATE OF state ON orders FOR EACH ROW
  WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION count_orders();

CREATE FUNCTION count_refunds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM count_day(OLD.merchant_id, OLD.mode, 'refund', OLD.created_at, OLD.status::text, -1);
  END IF;
  PERFORM count_day(NEW.merchant_id, NEW.mode, 'refund', NEW.created_at, NEW.status::text, 1);
  RETURN NULL;
END $$;

CREATE TRIGGER refunds_inserted_are_counted AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION count_refunds();
CREATE TRIGGER refunds_changed_are_counted AFTER UPDATE OF status ON refunds FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_refunds();
