-- Returns what is wrong with a booked conversion, as the end of an error message; null if it is valid. The rate must have been in effect when it
-- was quoted, and the conversion must have been used before it expired.
CREATE OR REPLACE FUNCTION conversion_violation(c conversions) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF c.used_at IS NULL OR c.used_at > c.expires_at THEN
    RETURN 'was not used before it expired';
  END IF;
  IF NOT rate_was_in_effect(c.mode, c.from_currency, c.to_currency, c.rate, c.created_at) THEN
    RETURN 'converts at a rate that was not in effect';
  END IF;
  RETURN NULL;
END $$;
