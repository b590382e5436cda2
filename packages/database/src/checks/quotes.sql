-- Checks on quotes.
ALTER TABLE quotes
  ADD CONSTRAINT quotes_amounts CHECK (amount > 0 AND fee >= 0 AND receiver_amount > 0 AND rate > 0);
