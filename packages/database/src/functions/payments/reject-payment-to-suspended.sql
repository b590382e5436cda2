-- Rejects payments to a suspended merchant (TG012). The order can still be cancelled or expire, and is payable again once the merchant is
-- active. The merchant's row is not locked, to avoid contention between payments. A payment concurrent with the suspension may therefore
-- succeed.
CREATE OR REPLACE FUNCTION reject_payment_to_suspended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM merchants WHERE id = NEW.merchant_id AND suspended_at IS NOT NULL) THEN
    RAISE EXCEPTION 'merchant % is suspended', NEW.merchant_id USING ERRCODE = 'TG012';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER orders_are_payable BEFORE UPDATE ON orders FOR EACH ROW
  WHEN (OLD.status <> 'PAID' AND NEW.status = 'PAID') EXECUTE FUNCTION reject_payment_to_suspended();
