-- Only events older than the recorded pruning time can be deleted (TG090).
CREATE OR REPLACE FUNCTION protect_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM event_retention WHERE OLD.created_at < pruned_before) THEN
    RAISE EXCEPTION 'event % cannot be deleted yet', OLD.id USING ERRCODE = 'TG090';
  END IF;
  RETURN OLD;
END $$;

CREATE TRIGGER events_are_kept BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION protect_event();
