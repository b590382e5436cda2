-- Checks on console_totps. The code that confirms a TOTP counts as used, so its time step is stored.
ALTER TABLE console_totps
  ADD CONSTRAINT console_totps_confirmed_by_code CHECK ((confirmed_at IS NULL) = (last_step IS NULL));
