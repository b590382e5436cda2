-- Requires an active sandbox shopper that is not a merchant's test shopper (TG053). The row is locked against a concurrent deactivation.
CREATE OR REPLACE FUNCTION require_active_shopper(p_wallet_user_id uuid, p_mode mode) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM wallet_users WHERE id = p_wallet_user_id AND mode = p_mode AND mode = 'sandbox' AND active AND test_of_merchant_id IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'shopper % cannot convert or top up', p_wallet_user_id USING ERRCODE = 'TG053';
  END IF;
END $$;
