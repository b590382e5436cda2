-- What an attempt says about its host. A success that took long says neither. Looks before it writes: a healthy host's
-- row is only read, so its deliveries do not queue up for it.
CREATE OR REPLACE FUNCTION record_host(p_host text, p_error_kind text, p_latency_ms integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  slow_after_ms CONSTANT integer := 2000;
  is_slow boolean := p_latency_ms > slow_after_ms OR p_error_kind IS NOT DISTINCT FROM 'timeout';
BEGIN
  -- Nothing was sent, or it was answered late but well.
  IF p_error_kind IS NOT DISTINCT FROM 'no_key' OR (is_slow AND p_error_kind IS NULL) THEN
    RETURN;
  END IF;
  IF NOT EXISTS (SELECT FROM delivery_hosts WHERE host = p_host AND prompt = NOT is_slow) THEN
    INSERT INTO delivery_hosts (host, prompt) VALUES (p_host, NOT is_slow)
    ON CONFLICT (host) DO UPDATE SET prompt = excluded.prompt, changed_at = excluded.changed_at;
  END IF;
END $$;
