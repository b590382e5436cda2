-- The pruning time only moves forward, and never into the last 30 days. The table always has exactly one row (TG090).
CREATE OR REPLACE FUNCTION guard_event_retention() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR NEW.id <> OLD.id OR NEW.pruned_before < OLD.pruned_before
     OR NEW.pruned_before > clock_timestamp() - interval '30 days' THEN
    RAISE EXCEPTION 'the pruning time can only increase, and events are kept for at least 30 days' USING ERRCODE = 'TG090';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER event_retention_is_guarded BEFORE INSERT OR UPDATE OR DELETE ON event_retention FOR EACH ROW EXECUTE FUNCTION guard_event_retention();
