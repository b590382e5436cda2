-- Returns whether a rate, net of its spread, was in effect at a time or in the ten minutes before, because the caller read the rate earlier. The
-- tolerance covers the rounding to ten significant digits.
CREATE OR REPLACE FUNCTION rate_was_in_effect(p_mode mode, p_base text, p_quote text, p_rate numeric, p_at timestamptz)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM exchange_rates e
    WHERE e.mode = p_mode AND e.base = p_base AND e.quote = p_quote AND e.effective_from <= p_at
      AND abs(p_rate - e.rate * (100 - e.spread_percent) / 100) <= p_rate * 0.000000001
      AND NOT EXISTS (
        SELECT FROM exchange_rates newer
        WHERE newer.mode = p_mode AND newer.base = p_base AND newer.quote = p_quote AND newer.created_at <= p_at - interval '10 minutes'
          AND newer.effective_from <= p_at - interval '10 minutes' AND (newer.effective_from, newer.created_at) > (e.effective_from, e.created_at)))
$$;
