-- Checks on refunds.
ALTER TABLE refunds
  ADD CONSTRAINT refunds_amount CHECK (amount > 0),
  ADD CONSTRAINT refunds_metadata CHECK (json_typeof(metadata::json) = 'object'),
  ADD CONSTRAINT refunds_settled CHECK ((status = 'pending') = (settled_at IS NULL)),
  ADD CONSTRAINT refunds_completed_moved_money CHECK (status <> 'completed' OR transfer_id IS NOT NULL),
  ADD CONSTRAINT refunds_pending_is_held CHECK (status <> 'pending' OR (hold_transfer_id IS NOT NULL AND transfer_id IS NULL)),
  ADD CONSTRAINT refunds_failed_returned_hold CHECK (status <> 'failed' OR (hold_transfer_id IS NOT NULL AND transfer_id IS NOT NULL)),
  ADD CONSTRAINT refunds_completed_gave_back CHECK ((status = 'completed') = (payer_amount IS NOT NULL) AND payer_amount >= 0);
