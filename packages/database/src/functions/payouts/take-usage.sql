-- Adds the payouts' amounts, without fees, to the merchants' usage for the day and month (UTC), and enforces their limits. Locks days
-- before months. TG042, TG043: the daily or monthly limit is exceeded; TG080 as in reject_items.
CREATE OR REPLACE FUNCTION take_usage(p_size int, p_payouts payouts[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  over_day text[];
  over_month text[];
BEGIN
  -- The limits are compared after counting, since an error rolls the count back.
  WITH taken AS (
    INSERT INTO payout_usage AS u (merchant_id, mode, currency, period, starts_on, amount)
    SELECT p.merchant_id, p.mode, p.sender_currency, period, date_trunc(period::text, p.created_at AT TIME ZONE 'UTC')::date AS starts_on, sum(p.amount)
      FROM unnest(p_payouts) p, unnest('{day,month}'::usage_period[]) period GROUP BY 1, 2, 3, 4, 5 ORDER BY period, 1, 2, 3, 5
    ON CONFLICT (merchant_id, mode, currency, period, starts_on) DO UPDATE SET amount = u.amount + EXCLUDED.amount
    RETURNING u.merchant_id, u.mode, u.currency, u.period, u.amount
  ), over AS (
    SELECT taken.* FROM taken JOIN payout_terms t USING (merchant_id, mode, currency)
    WHERE taken.amount > CASE taken.period WHEN 'day' THEN t.daily ELSE t.monthly END
  )
  SELECT array_agg(p.id) FILTER (WHERE over.period = 'day'), array_agg(p.id) FILTER (WHERE over.period = 'month') INTO over_day, over_month
    FROM over JOIN unnest(p_payouts) p ON (p.merchant_id, p.mode, p.sender_currency) = (over.merchant_id, over.mode, over.currency);
  PERFORM reject_items(over_day, p_size, 'TG042', 'the daily payout limit is exceeded');
  PERFORM reject_items(over_month, p_size, 'TG043', 'the monthly payout limit is exceeded');
END $$;
