-- Ends a streak of failures. For a healthy receiver, only the time is written, at most once every five seconds, so that deliveries do not
-- contend for one row.
CREATE OR REPLACE FUNCTION record_receiver_success(p_receiver uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE receivers SET last_success_at = clock_timestamp(), failures_in_row = 0, failing_since = NULL, warned_at = NULL
  WHERE id = p_receiver
    AND (failures_in_row > 0 OR last_success_at IS NULL OR last_success_at < clock_timestamp() - interval '5 seconds')
$$;
