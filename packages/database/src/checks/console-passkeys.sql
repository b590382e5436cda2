-- What a row of console_passkeys may be.
ALTER TABLE console_passkeys
  ADD CONSTRAINT console_passkeys_counter_not_negative CHECK (counter >= 0);
