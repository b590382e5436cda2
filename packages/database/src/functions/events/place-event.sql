-- Sets the position of a new event in its merchant's list: the transaction's number, so that readers know which earlier positions are
-- undecided. It is never before a committed event of the same order (a transaction may take its number and then wait for the order), and
-- never below the floor. Events of one order are written under its lock, so earlier ones are visible; `number` is drawn under it too.
CREATE OR REPLACE FUNCTION place_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.turn := greatest(pg_current_xact_id()::text::bigint, (SELECT turn FROM event_floor),
    (SELECT max(turn) FROM events WHERE order_id = NEW.order_id));
  RETURN NEW;
END $$;

CREATE TRIGGER events_are_placed BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION place_event();
