-- What a row of console_sessions may be. A second factor that was shown has also ended the waiting.
ALTER TABLE console_sessions
  ADD CONSTRAINT console_sessions_second_factor_signs_in CHECK (second_factor_at IS NULL OR signed_in_at IS NOT NULL);
