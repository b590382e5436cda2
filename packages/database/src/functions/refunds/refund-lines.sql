-- Returns the lines of a refund, from p_from (the merchant's wallet or hold account) to the payer's wallet, through the house's fx accounts if
-- the payment was converted.
CREATE OR REPLACE FUNCTION refund_lines(o orders, p_from uuid, p_amount bigint, p_payer_amount bigint) RETURNS transfer_line[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  lines transfer_line[] := ARRAY[
    (p_from, o.currency, -p_amount)::transfer_line, (o.payer_account_id, o.payer_currency, p_payer_amount)::transfer_line];
BEGIN
  IF o.payer_currency = o.currency THEN
    RETURN lines;
  END IF;
  RETURN lines
    || (account_of(o.mode, o.currency, 'fx'), o.currency, p_amount)::transfer_line
    || (account_of(o.mode, o.payer_currency, 'fx'), o.payer_currency, -p_payer_amount)::transfer_line;
END $$;
