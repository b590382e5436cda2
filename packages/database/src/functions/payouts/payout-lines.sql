-- Returns the transfer lines of a payout. They debit amount and fee from p_from (the merchant's wallet or hold account), credit any fee to the
-- house's fees account, and credit receiver_amount to the recipient, through the house's fx accounts if the currencies differ.
CREATE OR REPLACE FUNCTION payout_lines(p payouts, p_from uuid) RETURNS transfer_line[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  lines transfer_line[] := ARRAY[(p_from, p.sender_currency, -(p.amount + p.fee))::transfer_line];
BEGIN
  IF p.fee > 0 THEN
    lines := lines || (account_of(p.mode, p.sender_currency, 'fees'), p.sender_currency, p.fee)::transfer_line;
  END IF;
  IF p.sender_currency = p.receiver_currency THEN
    RETURN lines || (p.recipient_account_id, p.receiver_currency, p.receiver_amount)::transfer_line;
  END IF;
  RETURN lines
    || (account_of(p.mode, p.sender_currency, 'fx'), p.sender_currency, p.amount)::transfer_line
    || (account_of(p.mode, p.receiver_currency, 'fx'), p.receiver_currency, -p.receiver_amount)::transfer_line
    || (p.recipient_account_id, p.receiver_currency, p.receiver_amount)::transfer_line;
END $$;
