-- Checks on notices: a dismissal has a user.
ALTER TABLE notices
  ADD CONSTRAINT notices_dismissed CHECK ((dismissed_at IS NULL) = (dismissed_by_id IS NULL));
