-- Checks on wallet_sessions.
ALTER TABLE wallet_sessions
  ADD CONSTRAINT wallet_sessions_previous_ends CHECK ((previous_token_hash IS NULL) = (previous_valid_until IS NULL));
