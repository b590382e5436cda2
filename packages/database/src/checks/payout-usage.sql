-- Checks on payout_usage.
ALTER TABLE payout_usage
  ADD CONSTRAINT payout_usage_not_negative CHECK (amount >= 0);
