-- Takes an amount out of a day's or month's limit, or refuses it with the given code.
CREATE OR REPLACE FUNCTION take_usage(p payouts, p_period usage_period, p_limit bigint, p_refusal text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  period_start date := date_trunc(p_period::text, p.created_at AT TIME ZONE 'UTC')::date;
BEGIN
  INSERT INTO payout_usage (merchant_id, mode, currency, period, starts_on)
    VALUES (p.merchant_id, p.mode, p.sender_currency, p_period, period_start) ON CONFLICT DO NOTHING;
  UPDATE payout_usage SET amount = amount + p.amount
    WHERE merchant_id = p.merchant_id AND mode = p.mode AND currency = p.sender_currency AND period = p_period AND starts_on = period_start
      AND (p_limit IS NULL OR amount + p.amount <= p_limit);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'payout limit of the % reached', p_period USING ERRCODE = p_refusal;
  END IF;
END $$;
