-- Gives an amount back to the day's or month's limit that it was taken from: the day first, as it was taken, so that no
-- deadlock can happen.
CREATE OR REPLACE FUNCTION give_back_usage(p payouts, p_period usage_period) RETURNS void LANGUAGE sql AS $$
  UPDATE payout_usage SET amount = amount - p.amount
    WHERE merchant_id = p.merchant_id AND mode = p.mode AND currency = p.sender_currency AND period = p_period
      AND starts_on = date_trunc(p_period::text, p.created_at AT TIME ZONE 'UTC')::date
$$;
