-- Checks on conversions. Shoppers convert in the sandbox only.
ALTER TABLE conversions
  ADD CONSTRAINT conversions_amounts CHECK (from_amount BETWEEN 1 AND 10000000000000 AND to_amount BETWEEN 1 AND 10000000000000 AND rate > 0),
  ADD CONSTRAINT conversions_between_two CHECK (from_currency <> to_currency),
  ADD CONSTRAINT conversions_are_sandbox CHECK (mode = 'sandbox'),
  ADD CONSTRAINT conversions_used_by_a_transfer CHECK ((used_at IS NULL) = (transfer_id IS NULL));
