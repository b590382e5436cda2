-- Returns the lines of a payment, from the order's payer columns. The lines debit the payer and credit the merchant, through the house's fx accounts
-- if the currencies differ.
CREATE OR REPLACE FUNCTION payment_lines(o orders) RETURNS transfer_line[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  lines transfer_line[] := ARRAY[
    (o.payer_account_id, o.payer_currency, -o.payer_amount)::transfer_line,
    (account_of(o.mode, o.currency, 'merchant', o.merchant_id), o.currency, o.amount)::transfer_line];
BEGIN
  IF o.payer_currency = o.currency THEN
    RETURN lines;
  END IF;
  RETURN lines
    || (account_of(o.mode, o.payer_currency, 'fx'), o.payer_currency, o.payer_amount)::transfer_line
    || (account_of(o.mode, o.currency, 'fx'), o.currency, -o.amount)::transfer_line;
END $$;
