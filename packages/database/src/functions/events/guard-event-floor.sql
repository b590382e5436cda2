-- The floor only rises, and never above the next transaction ID. If it fell, events could appear before a reader's cursor; if it rose
-- higher, new events would share the floor as their turn. The table always has exactly one row. Violations raise TG090.
CREATE OR REPLACE FUNCTION guard_event_floor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR NEW.id <> OLD.id OR NEW.turn < OLD.turn
     OR NEW.turn > greatest(OLD.turn, pg_snapshot_xmax(pg_current_snapshot())::text::bigint) THEN
    RAISE EXCEPTION 'the event floor can only increase, up to the next transaction ID' USING ERRCODE = 'TG090';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER event_floor_is_guarded BEFORE INSERT OR UPDATE OR DELETE ON event_floor FOR EACH ROW EXECUTE FUNCTION guard_event_floor();
