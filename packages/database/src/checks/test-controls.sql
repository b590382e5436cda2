-- Checks on test_controls. They exist only in the sandbox, so the table has no mode.
ALTER TABLE test_controls
  ADD CONSTRAINT test_controls_known CHECK (control IN (
    'call_unavailable', 'call_rate_limited', 'call_timeout', 'call_answer_lost',
    'delivery_late', 'delivery_twice', 'delivery_reversed', 'delivery_never', 'delivery_badly_signed',
    'payment_insufficient', 'payment_converted', 'payout_waits')),
  ADD CONSTRAINT test_controls_remaining CHECK (remaining BETWEEN 0 AND 100),
  ADD CONSTRAINT test_controls_seconds CHECK (seconds BETWEEN 1 AND 600);
