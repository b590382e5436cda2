-- Enqueues the next event of a running replay, or completes the replay; does nothing in other states. An endpoint has one delivery per
-- event: if it is settled or awaits a retry, it is requeued; if it is queued or held, the replay waits for it. A replay to an address
-- creates a new delivery. The replay's cursor is at the last event that was delivered or skipped.
CREATE OR REPLACE FUNCTION advance_replay(p_replay uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  r replays;
  e events;
  v_delivery uuid;
BEGIN
  SELECT * INTO r FROM replays WHERE id = p_replay AND state = 'running' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT * INTO e FROM events v
    WHERE v.merchant_id = r.merchant_id AND v.mode = r.mode AND (v.turn, v.number) > (r.turn, r.number)
      AND (v.turn, v.number) <= (r.last_turn, r.last_number) AND v.created_at >= r.from_time AND v.created_at < r.to_time
      AND v.name = ANY (r.events)
    ORDER BY v.turn, v.number LIMIT 1;
  IF NOT FOUND THEN
    UPDATE replays SET state = 'completed', event_id = NULL, delivery_id = NULL, ended_at = clock_timestamp() WHERE id = r.id;
    RETURN;
  END IF;
  IF r.receiver_id IS NULL THEN
    INSERT INTO deliveries (mode, event_id, credential_id, address, in_backlog)
      VALUES (e.mode, e.id, r.credential_id, r.address, true) RETURNING id INTO v_delivery;
  ELSE
    INSERT INTO deliveries AS d (mode, event_id, receiver_id, address, in_backlog)
      SELECT e.mode, e.id, c.id, c.address, true FROM receivers c WHERE c.id = r.receiver_id
    ON CONFLICT (receiver_id, event_id) WHERE receiver_id IS NOT NULL DO UPDATE SET
      in_backlog = true,
      status = CASE WHEN d.status IN ('delivered', 'failed', 'pending') THEN 'queued' ELSE d.status END,
      attempts_before = CASE WHEN d.status IN ('delivered', 'failed', 'pending') THEN d.attempt_count ELSE d.attempts_before END,
      next_attempt_at = CASE WHEN d.status IN ('delivered', 'failed', 'pending') THEN clock_timestamp() ELSE d.next_attempt_at END,
      settled_at = NULL, given_up_because = NULL
    RETURNING d.id INTO v_delivery;
  END IF;
  UPDATE replays SET event_id = e.id, delivery_id = v_delivery WHERE id = r.id;
END $$;
