-- Returns the account of this kind that belongs to the merchant or, if p_merchant_id is null, to the house. Fails if there is none.
CREATE OR REPLACE FUNCTION account_of(p_mode mode, p_currency text, p_kind account_kind, p_merchant_id uuid DEFAULT NULL) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
DECLARE
  found_id uuid;
BEGIN
  IF p_merchant_id IS NULL THEN
    SELECT id INTO STRICT found_id FROM accounts
      WHERE mode = p_mode AND currency = p_currency AND kind = p_kind AND merchant_id IS NULL AND wallet_user_id IS NULL;
  ELSE
    SELECT id INTO STRICT found_id FROM accounts
      WHERE mode = p_mode AND currency = p_currency AND kind = p_kind AND merchant_id = p_merchant_id;
  END IF;
  RETURN found_id;
END $$;
