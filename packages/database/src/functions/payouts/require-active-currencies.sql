-- Nothing is paid out from or into a deactivated currency. A currency's row is read, not locked, because the payouts of all
-- merchants would meet there. So it is checked last, when no more waiting is needed. TG049: the sender currency is
-- inactive; TG050: the receiver currency is.
CREATE OR REPLACE FUNCTION require_active_currencies(p_sender text, p_receiver text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM currencies WHERE code = p_sender AND active) THEN
    RAISE EXCEPTION 'currency % is inactive', p_sender USING ERRCODE = 'TG049';
  END IF;
  IF NOT EXISTS (SELECT FROM currencies WHERE code = p_receiver AND active) THEN
    RAISE EXCEPTION 'currency % is inactive', p_receiver USING ERRCODE = 'TG050';
  END IF;
END $$;
