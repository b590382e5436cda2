-- Schedules the retry for an order that failed to expire: after one minute, doubling up to a day. Returns its number of failures.
CREATE OR REPLACE FUNCTION record_expiry_failure(p_order_id text, p_error text) RETURNS int LANGUAGE sql AS $$
  INSERT INTO expiry_failures AS f (order_id, failures, next_attempt_at, error)
    VALUES (p_order_id, 1, clock_timestamp() + interval '1 minute', p_error)
  ON CONFLICT (order_id) DO UPDATE SET failures = f.failures + 1, error = EXCLUDED.error,
    next_attempt_at = clock_timestamp() + least(interval '1 minute' * power(2, least(f.failures, 20)), interval '1 day')
  RETURNING failures
$$;
