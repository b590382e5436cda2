-- Returns the lines of a conversion between two wallets of the shopper, through the house's fx accounts.
CREATE OR REPLACE FUNCTION conversion_lines(c conversions) RETURNS transfer_line[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY[
    ((SELECT id FROM accounts WHERE wallet_user_id = c.wallet_user_id AND currency = c.from_currency AND mode = c.mode), c.from_currency, -c.from_amount)::transfer_line,
    (account_of(c.mode, c.from_currency, 'fx'), c.from_currency, c.from_amount)::transfer_line,
    (account_of(c.mode, c.to_currency, 'fx'), c.to_currency, -c.to_amount)::transfer_line,
    ((SELECT id FROM accounts WHERE wallet_user_id = c.wallet_user_id AND currency = c.to_currency AND mode = c.mode), c.to_currency, c.to_amount)::transfer_line]
$$;
