-- Sets the turn of a new event, by which its merchant's events are ordered. It is the transaction ID, which tells readers whether an event
-- can still be committed before it. It is raised to the floor and to the turn of the order's earlier events, because a transaction may get
-- its ID and then wait for the order's lock. Events of one order are written under its lock, so earlier ones are visible; `number`, which
-- orders events of the same turn, is assigned under the lock too. The same holds for the reports of one wallet, under its cursor's lock.
CREATE OR REPLACE FUNCTION place_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.turn := greatest(pg_current_xact_id()::text::bigint, (SELECT turn FROM event_floor),
    (SELECT max(turn) FROM events WHERE order_id = NEW.order_id),
    (SELECT turn FROM events WHERE account_id = NEW.account_id ORDER BY report_date DESC LIMIT 1));
  RETURN NEW;
END $$;

CREATE TRIGGER events_are_placed BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION place_event();
