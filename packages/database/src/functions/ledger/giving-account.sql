-- Returns the account that funds a refund or payout: the merchant's hold account if the money was held, otherwise the merchant's wallet.
CREATE OR REPLACE FUNCTION giving_account(p_mode mode, p_currency text, p_merchant_id uuid, p_hold_transfer_id uuid)
RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT account_of(p_mode, p_currency, CASE WHEN p_hold_transfer_id IS NULL THEN 'merchant'::account_kind ELSE 'hold' END, p_merchant_id)
$$;
