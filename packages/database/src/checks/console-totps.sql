-- What a row of console_totps may be. The code that confirms it is used up with that.
ALTER TABLE console_totps
  ADD CONSTRAINT console_totps_confirmed_by_code CHECK ((confirmed_at IS NULL) = (last_step IS NULL));
