-- Locks an order and makes sure that it can still be paid or cancelled, by the database's clock read after the lock.
-- TG001: no such order in this mode; TG010: already settled; TG011: expired (the caller then expires it in its own call).
CREATE OR REPLACE FUNCTION lock_payable_order(p_order_id text, p_mode mode) RETURNS orders LANGUAGE plpgsql AS $$
DECLARE
  locked orders;
BEGIN
  SELECT * INTO locked FROM orders WHERE id = p_order_id AND mode = p_mode FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'order % not found', p_order_id USING ERRCODE = 'TG001';
  END IF;
  IF locked.status <> 'PENDING' THEN
    RAISE EXCEPTION 'order % is %', p_order_id, locked.status USING ERRCODE = 'TG010';
  END IF;
  IF locked.expires_at <= clock_timestamp() THEN
    RAISE EXCEPTION 'order % has expired', p_order_id USING ERRCODE = 'TG011';
  END IF;
  RETURN locked;
END $$;
