-- Gives a new event its place in the list of its merchant's events. The place is the transaction's number, so that a reader
-- can see which earlier places are still undecided. It is never before a committed event of the same order (a transaction
-- may have taken its number and then waited for the order), and never below the floor. Events of one order are written
-- under its lock, so the earlier ones are visible here; `number` is drawn under it too.
CREATE OR REPLACE FUNCTION place_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.turn := greatest(pg_current_xact_id()::text::bigint, (SELECT turn FROM event_floor),
    (SELECT max(turn) FROM events WHERE order_id = NEW.order_id));
  RETURN NEW;
END $$;

CREATE TRIGGER events_are_placed BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION place_event();
