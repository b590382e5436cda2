-- Checks on payouts.
ALTER TABLE payouts
  ADD CONSTRAINT payouts_metadata CHECK (json_typeof(metadata::json) = 'object'),
  ADD CONSTRAINT payouts_amounts CHECK (amount > 0 AND fee >= 0 AND receiver_amount > 0 AND rate > 0),
  ADD CONSTRAINT payouts_same_currency CHECK (sender_currency <> receiver_currency OR (rate = 1 AND receiver_amount = amount)),
  ADD CONSTRAINT payouts_processed CHECK ((status = 'pending') = (processed_at IS NULL)),
  ADD CONSTRAINT payouts_pending_is_held CHECK (status <> 'pending' OR (hold_transfer_id IS NOT NULL AND transfer_id IS NULL)),
  ADD CONSTRAINT payouts_settled_moved_money CHECK (status = 'pending' OR transfer_id IS NOT NULL),
  ADD CONSTRAINT payouts_failed_was_held CHECK (status <> 'failed' OR hold_transfer_id IS NOT NULL),
  ADD CONSTRAINT payouts_completed_is_numbered CHECK ((status = 'completed') = (trx_id IS NOT NULL));
