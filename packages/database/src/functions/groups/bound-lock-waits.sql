-- A group waits only briefly for a lock, so that one locked row does not delay its other items. A single item waits up to
-- statement_timeout.
CREATE OR REPLACE FUNCTION bound_lock_waits(p_size int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_size > 1 THEN
    PERFORM set_config('lock_timeout', '250ms', true);
  END IF;
END $$;
