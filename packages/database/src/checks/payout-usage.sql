-- What a row of payout_usage may be.
ALTER TABLE payout_usage
  ADD CONSTRAINT payout_usage_not_negative CHECK (amount >= 0);
