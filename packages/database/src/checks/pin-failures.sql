-- Checks on pin_failures.
ALTER TABLE pin_failures
  ADD CONSTRAINT pin_failures_not_negative CHECK (failures >= 0);
