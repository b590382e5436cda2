-- Checks on wallet_passkeys.
ALTER TABLE wallet_passkeys
  ADD CONSTRAINT wallet_passkeys_counter_not_negative CHECK (counter >= 0);
