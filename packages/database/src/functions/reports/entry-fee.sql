-- Returns the part of an entry of p_amount that is the fee of its payout: positive if the fee left the wallet, negative if it entered the wallet,
-- and 0 if there is no payout.
CREATE OR REPLACE FUNCTION entry_fee(p_amount bigint, p_payout_fee bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(CASE WHEN p_amount < 0 THEN p_payout_fee ELSE -p_payout_fee END, 0)
$$;
