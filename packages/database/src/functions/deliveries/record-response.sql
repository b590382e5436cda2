-- Records for a queue and lane whether the receiver responds, and how many consecutive attempts failed slowly. Latency counts, not status:
-- an immediate 404 blocks nothing, and a success always counts as responsive. Reads before it writes, so that deliveries of a
-- healthy receiver do not contend for one row.
CREATE OR REPLACE FUNCTION record_response(p_queue uuid, p_lane uuid, p_error_kind text, p_latency_ms integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  slow_after_ms CONSTANT integer := 2000;
  -- The queue or lane is slow from this number on; counting further would only cause writes.
  slow_from CONSTANT integer := 3;
BEGIN
  -- Without a signing key, nothing was sent, so there is no latency to record.
  IF p_error_kind IS NOT DISTINCT FROM 'no_key' THEN
    RETURN;
  END IF;
  -- Locks the queue's row before the lane's, so that two attempts that settle at the same time cannot deadlock.
  IF p_error_kind IS NOT NULL AND (p_latency_ms > slow_after_ms OR p_error_kind = 'timeout') THEN
    INSERT INTO delivery_lanes AS l (id, answers, slow_in_row)
      SELECT t.id, false, 1 FROM unnest(CASE WHEN p_lane = p_queue THEN ARRAY[p_queue] ELSE ARRAY[p_queue, p_lane] END) AS t (id)
    ON CONFLICT (id) DO UPDATE SET
      slow_in_row = l.slow_in_row + 1, answers = l.answers AND l.slow_in_row + 1 < slow_from, changed_at = excluded.changed_at
      WHERE l.slow_in_row < slow_from;
    RETURN;
  END IF;
  IF NOT EXISTS (SELECT FROM delivery_lanes WHERE id = p_queue AND answers AND slow_in_row = 0) THEN
    INSERT INTO delivery_lanes (id, answers) VALUES (p_queue, true)
    ON CONFLICT (id) DO UPDATE SET answers = true, slow_in_row = 0, changed_at = excluded.changed_at;
  END IF;
  IF p_lane <> p_queue THEN
    DELETE FROM delivery_lanes WHERE id = p_lane;
  END IF;
END $$;
