-- Checks on console_totps. The confirming code counts as used.
ALTER TABLE console_totps
  ADD CONSTRAINT console_totps_confirmed_by_code CHECK ((confirmed_at IS NULL) = (last_step IS NULL));
