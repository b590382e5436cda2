-- Checks on payment_links. If a link has no amount, the shopper enters one, within optional bounds.
ALTER TABLE payment_links
  ADD CONSTRAINT payment_links_described CHECK (description <> '' AND length(description) <= 500),
  ADD CONSTRAINT payment_links_amount_positive CHECK (amount > 0 AND min_amount IS NULL AND max_amount IS NULL OR amount IS NULL),
  ADD CONSTRAINT payment_links_bounds CHECK (coalesce(min_amount, 1) > 0 AND coalesce(max_amount, min_amount, 1) >= coalesce(min_amount, 1)),
  ADD CONSTRAINT payment_links_uses CHECK (max_uses BETWEEN 1 AND 100000);
