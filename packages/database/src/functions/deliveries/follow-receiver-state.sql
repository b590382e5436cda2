-- Applies a receiver's state to up to p_limit of its unsettled deliveries. The deliveries fail if the receiver is disabled or removed, and
-- are held if it is paused; held deliveries of an active receiver are queued. Returns how many deliveries changed, or null if no unlocked
-- receiver has deliveries to update. The row lock prevents changes to the receiver's state until commit. Deliveries that are leased, or locked to be
-- leased, are left to the worker.
CREATE OR REPLACE FUNCTION follow_receiver_state(p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  r receivers;
  target delivery_status;
  followed integer;
BEGIN
  SELECT * INTO r FROM receivers WHERE deliveries_lag ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  target := CASE WHEN r.disabled_at IS NOT NULL OR r.removed_at IS NOT NULL THEN 'failed'
    WHEN r.paused_at IS NOT NULL THEN 'held' ELSE 'queued' END;
  UPDATE deliveries SET
      status = target,
      settled_at = CASE WHEN target = 'failed' THEN clock_timestamp() END,
      given_up_because = CASE WHEN target = 'failed' THEN
        CASE WHEN r.removed_at IS NOT NULL THEN 'receiver_removed' ELSE 'receiver_disabled' END END,
      next_attempt_at = CASE WHEN target = 'queued' THEN clock_timestamp() ELSE next_attempt_at END
    WHERE id IN (SELECT id FROM deliveries
                 WHERE receiver_id = r.id AND leased_until IS NULL AND CASE target
                   WHEN 'failed' THEN status IN ('pending', 'queued', 'held')
                   WHEN 'held' THEN status IN ('pending', 'queued')
                   ELSE status = 'held' END
                 LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED);
  GET DIAGNOSTICS followed = ROW_COUNT;
  IF followed < p_limit THEN
    UPDATE receivers SET deliveries_lag = false WHERE id = r.id;
  END IF;
  RETURN followed;
END $$;
