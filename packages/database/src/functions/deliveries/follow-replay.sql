-- Advances a replay in the transaction that settles its current delivery, so that a crash neither repeats nor skips an event. Unless the
-- replay skips failures, it waits while that delivery is retried, and stops when retries are exhausted. The replay always stops if the
-- receiver responded with 410 or was disabled or removed.
CREATE OR REPLACE FUNCTION follow_replay() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r replays;
BEGIN
  SELECT * INTO r FROM replays WHERE delivery_id = NEW.id AND state = 'running' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF NEW.status = 'delivered'
     OR r.skip_failed AND coalesce(NEW.given_up_because, '') NOT IN ('gone', 'receiver_disabled', 'receiver_removed') THEN
    UPDATE replays p SET turn = e.turn, number = e.number, sent = p.sent + (NEW.status = 'delivered')::integer,
        failed = p.failed + (NEW.status <> 'delivered')::integer
      FROM events e WHERE p.id = r.id AND e.id = NEW.event_id;
    PERFORM advance_replay(r.id);
  ELSIF NEW.status = 'failed' THEN
    UPDATE replays SET state = 'stopped' WHERE id = r.id;
  END IF;
  RETURN NULL;
END $$;

-- Only deliveries in the backlog belong to replays.
CREATE TRIGGER deliveries_carry_replays AFTER UPDATE OF status ON deliveries FOR EACH ROW
  WHEN (NEW.in_backlog AND NEW.status IN ('delivered', 'failed', 'pending') AND NEW.status IS DISTINCT FROM OLD.status)
  EXECUTE FUNCTION follow_replay();
