-- Starts a write of one item or a group. Until the transaction ends, plans look rows up by index, even for foreign keys and triggers that
-- are checked at commit: a cached plan made while a table was small would scan it. A group waits at most 250 ms for a lock, so that one
-- locked row does not delay its other items. A single item waits up to statement_timeout.
CREATE OR REPLACE FUNCTION begin_write(p_size int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true);
  IF p_size > 1 THEN
    PERFORM set_config('lock_timeout', '250ms', true);
  END IF;
END $$;
