-- Locks orders, in the order of their ids, and makes sure that they can still be paid or cancelled, by the database's clock read
-- after the lock. Answers them in that order. TG001: no such order in this mode; TG010: already settled; TG011: expired (the
-- caller then expires it in its own call); TG080 as reject_items.
CREATE OR REPLACE FUNCTION lock_payable_orders(p_order_id text[], p_mode mode[]) RETURNS orders[] LANGUAGE plpgsql AS $$
DECLARE
  size int := cardinality(p_order_id);
  locked orders[];
  rejected text[];
  refusal text;
BEGIN
  SELECT array_agg(one) INTO locked FROM (
    SELECT o AS one FROM orders o JOIN unnest(p_order_id, p_mode) AS asked (id, mode) USING (id, mode) ORDER BY o.id FOR NO KEY UPDATE OF o) AS found;
  IF cardinality(locked) IS DISTINCT FROM size THEN
    PERFORM reject_items(ARRAY(SELECT unnest(p_order_id) EXCEPT SELECT id FROM unnest(locked)), size, 'TG001', 'order not found');
  END IF;
  SELECT array_agg(id), min(CASE WHEN status <> 'PENDING' THEN 'TG010' ELSE 'TG011' END) INTO rejected, refusal
    FROM unnest(locked) WHERE status <> 'PENDING' OR expires_at <= clock_timestamp();
  PERFORM reject_items(rejected, size, refusal, 'order has left PENDING or has expired');
  RETURN locked;
END $$;
