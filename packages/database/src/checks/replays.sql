-- Checks on replays.
ALTER TABLE replays
  ADD CONSTRAINT replays_one_target CHECK (
    (receiver_id IS NULL) = (address IS NOT NULL) AND (address IS NULL) = (credential_id IS NULL)),
  ADD CONSTRAINT replays_keyed CHECK ((idempotency_key IS NULL) = (request_hash IS NULL)),
  ADD CONSTRAINT replays_range CHECK (from_time < to_time),
  ADD CONSTRAINT replays_known_state CHECK (state IN ('running', 'stopped', 'completed', 'cancelled')),
  ADD CONSTRAINT replays_ended CHECK ((state IN ('completed', 'cancelled')) = (ended_at IS NOT NULL)),
  ADD CONSTRAINT replays_counted CHECK (total >= 0 AND sent >= 0 AND failed >= 0);
