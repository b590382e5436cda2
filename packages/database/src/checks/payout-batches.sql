-- Checks on payout_batches: a confirmed bulk payout stores who confirmed it, when and by which request, and is not discarded.
ALTER TABLE payout_batches
  ADD CONSTRAINT payout_batches_round_positive CHECK (round > 0),
  ADD CONSTRAINT payout_batches_confirmed_by_call CHECK (num_nulls(confirmed_at, confirmed_by_id, request_id) IN (0, 3)),
  ADD CONSTRAINT payout_batches_confirmed_or_discarded CHECK (confirmed_at IS NULL OR discarded_at IS NULL);
