-- Checks on console_passkeys.
ALTER TABLE console_passkeys
  ADD CONSTRAINT console_passkeys_counter_not_negative CHECK (counter >= 0);
