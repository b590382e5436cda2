-- What a row of pin_failures may be.
ALTER TABLE pin_failures
  ADD CONSTRAINT pin_failures_not_negative CHECK (failures >= 0);
