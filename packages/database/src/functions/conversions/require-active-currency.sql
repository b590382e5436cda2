-- Rejects top-ups in, and conversions from or to, an inactive or unknown currency (TG053).
CREATE OR REPLACE FUNCTION require_active_currency(p_currency text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM currencies WHERE code = p_currency AND active;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'currency % is not active', p_currency USING ERRCODE = 'TG053';
  END IF;
END $$;
