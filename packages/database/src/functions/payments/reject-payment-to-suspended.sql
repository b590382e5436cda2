-- Rejects payments to a suspended merchant (TG012). The order can still be cancelled or expire, and is payable again once the merchant is
-- active. The merchant's row is not locked, to avoid contention between payments. A payment concurrent with the suspension may therefore
-- succeed.
CREATE OR REPLACE FUNCTION reject_payment_to_suspended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- LATERAL with LIMIT forces an index lookup per merchant, even in a plan made for few merchants.
  IF EXISTS (
       SELECT FROM after JOIN before ON before.id = after.id
       CROSS JOIN LATERAL (SELECT FROM merchants WHERE id = after.merchant_id AND suspended_at IS NOT NULL LIMIT 1) AS suspended
       WHERE before.status <> 'PAID' AND after.status = 'PAID') THEN
    RAISE EXCEPTION 'the merchant of an order is suspended' USING ERRCODE = 'TG012';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER orders_are_payable AFTER UPDATE ON orders REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION reject_payment_to_suspended();
