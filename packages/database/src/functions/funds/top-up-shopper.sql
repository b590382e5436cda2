-- Funds a sandbox shopper from the issuing account, once per wallet, key and amount, opening the wallet on first use. Returns the
-- transfer's ID, even on a repeat. TG053 as in require_active_shopper and require_active_currency; TG020, TG022 as in book_transfer; TG060
-- as in earlier_funds; invalid_parameter_value unless the amount is positive.
CREATE OR REPLACE FUNCTION top_up_shopper(p_wallet_user_id uuid, p_mode mode, p_currency text, p_amount bigint, p_key text, p_transfer_id uuid)
RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  wallet accounts;
  reference text;
  earlier uuid;
BEGIN
  PERFORM begin_write(1);
  IF p_amount <= 0 THEN
    RAISE EXCEPTION 'a top-up must have a positive amount' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM require_active_shopper(p_wallet_user_id, p_mode);
  PERFORM require_active_currency(p_currency);
  wallet := open_shopper_wallet(p_wallet_user_id, p_mode, p_currency);
  reference := format('top-up %s %s %s', wallet.id, p_amount, p_key);
  earlier := earlier_funds(wallet, 'deposit', 'issuing', p_amount, reference);
  IF earlier IS NOT NULL THEN
    RETURN earlier;
  END IF;
  PERFORM book_funds(p_transfer_id, 'deposit', wallet, 'issuing', p_amount, reference);
  RETURN p_transfer_id;
END $$;
