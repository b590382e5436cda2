-- Rejects payments to a suspended merchant (TG012). The order can still be cancelled or expire, and is payable again once the merchant is
-- active. The merchant's row is not locked, to avoid contention between payments. A payment concurrent with the suspension may therefore
-- succeed.
CREATE OR REPLACE FUNCTION reject_payment_to_suspended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The first condition, which is almost always false, is the cheap one.
  IF EXISTS (SELECT FROM after JOIN merchants m ON m.id = after.merchant_id WHERE after.status = 'PAID' AND m.suspended_at IS NOT NULL)
     AND EXISTS (
       SELECT FROM after JOIN before ON before.id = after.id JOIN merchants m ON m.id = after.merchant_id
       WHERE before.status <> 'PAID' AND after.status = 'PAID' AND m.suspended_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the merchant of an order is suspended' USING ERRCODE = 'TG012';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER orders_are_payable AFTER UPDATE ON orders REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION reject_payment_to_suspended();
