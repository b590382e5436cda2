-- A report cursor only moves forward, and is never deleted (TG090). Otherwise days would be announced again after their events were pruned.
CREATE OR REPLACE FUNCTION guard_report_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW.account_id <> OLD.account_id OR NEW.next_date < OLD.next_date THEN
    RAISE EXCEPTION 'a report cursor can only move forward' USING ERRCODE = 'TG090';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER report_cursors_are_guarded BEFORE UPDATE OR DELETE ON report_cursors FOR EACH ROW EXECUTE FUNCTION guard_report_cursor();
