-- What is wrong with a conversion that was made, as the end of a sentence; null when it is right: its rate was in effect when
-- it was held, and it was used before its end.
CREATE OR REPLACE FUNCTION conversion_fault(c conversions) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF c.used_at IS NULL OR c.used_at > c.expires_at THEN
    RETURN 'was not used in time';
  END IF;
  IF NOT rate_was_in_effect(c.mode, c.from_currency, c.to_currency, c.rate, c.created_at) THEN
    RETURN 'converts at a rate that was not in effect';
  END IF;
  RETURN NULL;
END $$;
