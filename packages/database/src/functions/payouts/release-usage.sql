-- Subtracts a payout's amount from the daily or monthly usage that it counted toward. To avoid deadlocks, callers update the day before the
-- month, as take_usage does.
CREATE OR REPLACE FUNCTION release_usage(p payouts, p_period usage_period) RETURNS void LANGUAGE sql AS $$
  UPDATE payout_usage SET amount = amount - p.amount
    WHERE merchant_id = p.merchant_id AND mode = p.mode AND currency = p.sender_currency AND period = p_period
      AND starts_on = date_trunc(p_period::text, p.created_at AT TIME ZONE 'UTC')::date
$$;
