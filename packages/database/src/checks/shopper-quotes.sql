-- Checks on shopper_quotes.
ALTER TABLE shopper_quotes
  ADD CONSTRAINT shopper_quotes_amounts CHECK (payer_amount BETWEEN 1 AND 10000000000000 AND rate > 0);
