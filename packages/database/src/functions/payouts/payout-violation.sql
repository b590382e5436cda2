-- Returns what is wrong with a payout's terms, as the end of an error message; null if they are valid. The recipient must own the credited
-- wallet, and the terms must match the quote, if any, which must have been used before it expired. For a payout between two currencies, the rate
-- must have been in effect when the quote (without a quote, the payout) was created, and the credited amount must be the payout's amount
-- converted at that rate, rounded down.
CREATE OR REPLACE FUNCTION payout_violation(p payouts) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  priced_at timestamptz := p.created_at;
  q quotes;
BEGIN
  IF NOT EXISTS (SELECT FROM accounts WHERE id = p.recipient_account_id AND kind = 'shopper' AND wallet_user_id = p.wallet_user_id) THEN
    RETURN 'credits a wallet that is not the recipient''s';
  END IF;
  IF p.quote_id IS NOT NULL THEN
    SELECT * INTO q FROM quotes WHERE id = p.quote_id AND mode = p.mode;
    IF (q.merchant_id, q.wallet_user_id, q.amount, q.sender_currency, q.fee, q.rate, q.receiver_amount, q.receiver_currency)
       IS DISTINCT FROM (p.merchant_id, p.wallet_user_id, p.amount, p.sender_currency, p.fee, p.rate, p.receiver_amount, p.receiver_currency)
       OR (q.used_at <= q.expires_at) IS NOT TRUE THEN
      RETURN 'does not match its quote';
    END IF;
    priced_at := q.created_at;
  END IF;
  IF p.sender_currency = p.receiver_currency THEN
    RETURN NULL;
  END IF;
  IF NOT rate_was_in_effect(p.mode, p.sender_currency, p.receiver_currency, p.rate, priced_at) THEN
    RETURN 'is converted at a rate that was not in effect';
  END IF;
  IF p.receiver_amount <> (
      SELECT div(p.amount * p.rate * power(10::numeric, theirs.digits), power(10::numeric, own.digits))
      FROM currencies own, currencies theirs WHERE own.code = p.sender_currency AND theirs.code = p.receiver_currency) THEN
    RETURN 'credits an amount that does not match its rate';
  END IF;
  RETURN NULL;
END $$;
