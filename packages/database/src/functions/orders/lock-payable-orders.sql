-- Locks orders in the order of their IDs, and verifies that they can still be paid or cancelled, according to the database's clock after
-- locking. Returns them sorted by ID. TG001: the mode has no order with this ID; TG010: already settled; TG011: expired (the caller expires it
-- in a separate call); TG080 as in reject_items.
CREATE OR REPLACE FUNCTION lock_payable_orders(p_order_id text[], p_mode mode[]) RETURNS orders[] LANGUAGE plpgsql AS $$
DECLARE
  size int := cardinality(p_order_id);
  locked orders[];
  rejected text[];
  reject_code text;
BEGIN
  SELECT array_agg(one ORDER BY item.id) INTO locked
    FROM (SELECT o AS one FROM orders o WHERE o.id = ANY (p_order_id) ORDER BY o.id FOR NO KEY UPDATE) AS found
    JOIN unnest(p_order_id, p_mode) AS item (id, mode) ON item.id = (one).id AND item.mode = (one).mode;
  IF cardinality(locked) IS DISTINCT FROM size THEN
    PERFORM reject_items(ARRAY(SELECT unnest(p_order_id) EXCEPT SELECT id FROM unnest(locked)), size, 'TG001', 'order not found');
  END IF;
  SELECT array_agg(id), min(CASE WHEN status <> 'PENDING' THEN 'TG010' ELSE 'TG011' END) INTO rejected, reject_code
    FROM unnest(locked) WHERE status <> 'PENDING' OR expires_at <= clock_timestamp();
  PERFORM reject_items(rejected, size, reject_code, 'order has left PENDING or has expired');
  RETURN locked;
END $$;
