-- Returns the lines that move an amount from a merchant's wallet into the merchant's hold account or, for a negative amount, back.
CREATE OR REPLACE FUNCTION lines_into_hold(p_mode mode, p_currency text, p_merchant_id uuid, p_amount bigint) RETURNS transfer_line[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY[
    (account_of(p_mode, p_currency, 'merchant', p_merchant_id), p_currency, -p_amount)::transfer_line,
    (account_of(p_mode, p_currency, 'hold', p_merchant_id), p_currency, p_amount)::transfer_line]
$$;
