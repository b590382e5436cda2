-- Converts minor units to an exact decimal with the currency's number of decimals, for JSON numbers and formatted text.
CREATE OR REPLACE FUNCTION wire_amount(p_minor bigint, p_digits smallint) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT round(p_minor::numeric / power(10::numeric, p_digits), p_digits)
$$;
