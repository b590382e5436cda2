-- The floor only rises, and never above started transactions: a lower floor lets events appear behind readers, and a higher one leaves no
-- positions.
CREATE OR REPLACE FUNCTION guard_event_floor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR NEW.id <> OLD.id OR NEW.turn < OLD.turn
     OR NEW.turn > greatest(OLD.turn, pg_snapshot_xmax(pg_current_snapshot())::text::bigint) THEN
    RAISE EXCEPTION 'the event floor can only increase, up to the current time' USING ERRCODE = 'TG090';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER event_floor_is_guarded BEFORE INSERT OR UPDATE OR DELETE ON event_floor FOR EACH ROW EXECUTE FUNCTION guard_event_floor();
