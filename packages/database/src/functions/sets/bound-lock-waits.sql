-- A set waits only a moment for a lock: its other items need not wait for the owner of one row. One item alone waits as long as
-- a statement may run.
CREATE OR REPLACE FUNCTION bound_lock_waits(p_size int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_size > 1 THEN
    PERFORM set_config('lock_timeout', '250ms', true);
  END IF;
END $$;
