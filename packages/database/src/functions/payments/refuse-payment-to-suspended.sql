-- No order of a suspended merchant is paid, whichever function pays it: the order does not change, nothing moves (TG012).
-- It may still be cancelled or expire, and is payable again when the merchant is active. The merchant's row is read, not
-- locked, because all its payments would meet there: a payment at the very instant of the suspension counts as one before
-- it.
CREATE OR REPLACE FUNCTION refuse_payment_to_suspended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM merchants WHERE id = NEW.merchant_id AND suspended_at IS NOT NULL) THEN
    RAISE EXCEPTION 'merchant % is suspended', NEW.merchant_id USING ERRCODE = 'TG012';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER orders_are_payable BEFORE UPDATE ON orders FOR EACH ROW
  WHEN (OLD.status <> 'PAID' AND NEW.status = 'PAID') EXECUTE FUNCTION refuse_payment_to_suspended();
