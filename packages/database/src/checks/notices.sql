-- Checks on notices. A dismissed notice records who dismissed it.
ALTER TABLE notices
  ADD CONSTRAINT notices_dismissed CHECK ((dismissed_at IS NULL) = (dismissed_by_id IS NULL));
