-- Checks on console_sessions. A session whose second factor is confirmed is signed in.
ALTER TABLE console_sessions
  ADD CONSTRAINT console_sessions_second_factor_signs_in CHECK (second_factor_at IS NULL OR signed_in_at IS NOT NULL),
  ADD CONSTRAINT console_sessions_passkey_challenge_ends CHECK ((passkey_challenge IS NULL) = (passkey_challenge_until IS NULL));
