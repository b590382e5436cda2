-- Returns what is wrong with an order's payer, as the end of an error message; null if it is valid. The payer must be a shopper's wallet. A
-- payment from a wallet in another currency needs a quote for this order and amount that was used before it expired and whose rate was in effect
-- when the quote was created.
CREATE OR REPLACE FUNCTION payer_violation(o orders) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM accounts WHERE id = o.payer_account_id AND kind = 'shopper') THEN
    RETURN 'is not paid by a shopper';
  END IF;
  IF o.quote_id IS NULL THEN
    RETURN NULL;
  END IF;
  IF NOT EXISTS (
      SELECT FROM shopper_quotes q WHERE q.id = o.quote_id AND q.mode = o.mode AND q.order_id = o.id AND q.account_id = o.payer_account_id
        AND q.payer_currency = o.payer_currency AND q.payer_amount = o.payer_amount AND q.used_at <= q.expires_at
        AND rate_was_in_effect(q.mode, q.payer_currency, o.currency, q.rate, q.created_at)) THEN
    RETURN 'is converted without a valid quote';
  END IF;
  RETURN NULL;
END $$;
