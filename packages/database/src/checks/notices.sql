-- Checks on notices: dismissed by a person, or not at all.
ALTER TABLE notices
  ADD CONSTRAINT notices_dismissed CHECK ((dismissed_at IS NULL) = (dismissed_by_id IS NULL));
