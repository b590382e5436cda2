-- Checks on deliveries.
ALTER TABLE deliveries
  ADD CONSTRAINT deliveries_one_signer CHECK ((receiver_id IS NULL) <> (credential_id IS NULL)),
  ADD CONSTRAINT deliveries_settled CHECK ((status IN ('delivered', 'failed')) = (settled_at IS NOT NULL)),
  ADD CONSTRAINT deliveries_attempts CHECK (attempts_before BETWEEN 0 AND attempt_count),
  ADD CONSTRAINT deliveries_given_up CHECK (
    given_up_because IS NULL
    OR status = 'failed' AND given_up_because IN ('attempts_over', 'gone', 'receiver_disabled', 'receiver_removed', 'test_control')),
  ADD CONSTRAINT deliveries_controlled_in_sandbox CHECK (test_control IS NULL OR mode = 'sandbox'),
  ADD CONSTRAINT deliveries_controlled CHECK (
    (test_control IS NULL) = (controlled_at IS NULL) AND (test_control IS NULL) = (held_seconds IS NULL)
    AND test_control IN ('delivery_late', 'delivery_twice', 'delivery_reversed', 'delivery_never', 'delivery_badly_signed')),
  ADD CONSTRAINT deliveries_leased CHECK (
    (leased_until IS NULL) = (leased_by IS NULL) AND (leased_until IS NULL) = (leased_at IS NULL)
    AND (leased_until IS NULL) = (leased_as IS NULL) AND (leased_until IS NULL) = (leased_host IS NULL)
    AND (leased_until IS NULL OR status = 'queued') AND leased_as IN ('prompt', 'first', 'careful', 'slow'));
