-- Pausing, resuming, disabling, enabling or removing a receiver updates only its own row. Its unsettled deliveries are updated later,
-- in batches (follow_receiver_state). Resuming or enabling resets the failure streak. A removed receiver stays removed (TG092).
CREATE OR REPLACE FUNCTION change_receiver_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.removed_at IS NOT NULL AND NEW.removed_at IS DISTINCT FROM OLD.removed_at THEN
    RAISE EXCEPTION 'receiver % is removed and cannot be restored', OLD.id USING ERRCODE = 'TG092';
  END IF;
  IF (NEW.paused_at IS NULL, NEW.disabled_at IS NULL, NEW.removed_at IS NULL)
     IS DISTINCT FROM (OLD.paused_at IS NULL, OLD.disabled_at IS NULL, OLD.removed_at IS NULL) THEN
    NEW.deliveries_lag := true;
  END IF;
  IF (OLD.paused_at IS NOT NULL AND NEW.paused_at IS NULL) OR (OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL) THEN
    NEW.failures_in_row := 0;
    NEW.failing_since := NULL;
    NEW.warned_at := NULL;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER receivers_change_state BEFORE UPDATE ON receivers FOR EACH ROW EXECUTE FUNCTION change_receiver_state();
