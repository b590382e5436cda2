-- Checks on payout_terms.
ALTER TABLE payout_terms
  ADD CONSTRAINT payout_terms_limits CHECK (
  coalesce(per_transaction, 0) >= 0 AND coalesce(daily, 0) >= 0 AND coalesce(monthly, 0) >= 0 AND coalesce(review_above, 0) >= 0);
