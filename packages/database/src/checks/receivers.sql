-- Checks on receivers.
ALTER TABLE receivers
  ADD CONSTRAINT receivers_disabled_for_a_reason CHECK (
    (disabled_at IS NULL) = (disabled_reason IS NULL) AND disabled_reason IN ('gone', 'failing', 'administrator')),
  ADD CONSTRAINT receivers_streak CHECK (
    failures_in_row >= 0 AND (failures_in_row = 0) = (failing_since IS NULL) AND (warned_at IS NULL OR failures_in_row > 0)),
  ADD CONSTRAINT receivers_previous_secret CHECK (
    (previous_secret_ciphertext IS NULL) = (previous_encryption_key_id IS NULL)
    AND (previous_secret_ciphertext IS NULL) = (previous_secret_expires_at IS NULL));
