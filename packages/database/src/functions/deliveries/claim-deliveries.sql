-- Leases due deliveries to a worker, round-robin over queues, within limits that hold across all processes.
--
-- p_places and p_careful_places: the worker's free slots for the classes `prompt` and `first`, and for the other classes.
-- p_from, p_after, p_careful_after: where the scan and the two rotations continue; returned as next_*.
-- visited and has_more: the number of nonempty queues that were visited, and whether more deliveries may be due than were leased.
-- p_bounds: the maximum number of in-flight attempts by class: {"prompt": {"lane": 8, "queue": 12, "host": 32, "merchant": 200}, …}.
--
-- Classes: `slow` after too many consecutive slow failures in the lane; else `prompt` if the queue responds; `first` if nothing is known about
-- it and nothing is in flight; `careful` otherwise. A prompt attempt that takes long stops counting toward the limits of its queue, host and
-- merchant, so that a receiver that starts to hang does not block others; all other attempts count until they end.
--
-- After a failover from a server whose clock was ahead, leases and retries that this clock dated in the future count as due now.
--
-- Only one claim runs at a time, because the next must see its leases. A claim never waits for a row lock. The commit is asynchronous,
-- because a delivery whose lease is lost in a server crash is claimed again.
CREATE OR REPLACE FUNCTION claim_deliveries(p_worker uuid, p_lease_ms integer, p_places integer, p_careful_places integer,
  p_from uuid, p_after uuid, p_careful_after uuid, p_bounds jsonb)
RETURNS TABLE (ids uuid[], classes text[], next_from uuid, next_after uuid, next_careful_after uuid, visited integer, has_more boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- Limits on due retries, and on expired leases, that one claim requeues.
  most_due CONSTANT integer := 500;
  -- A time this much later than expected comes from another clock.
  ahead CONSTANT interval := '1 minute';
  v_now timestamptz;
  chosen record;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(hashtextextended('tillgate claims deliveries', 0));
  v_now := clock_timestamp();
  UPDATE deliveries d SET leased_by = NULL, leased_at = NULL, leased_until = NULL, leased_as = NULL, leased_host = NULL
    WHERE d.id IN (SELECT w.id FROM deliveries w WHERE w.leased_until <= v_now
                     OR w.leased_until > v_now + p_lease_ms * interval '1 millisecond' + ahead LIMIT most_due FOR NO KEY UPDATE SKIP LOCKED);
  UPDATE deliveries d SET status = 'queued'
    WHERE d.id IN (SELECT w.id FROM deliveries w WHERE w.status = 'pending' AND w.next_attempt_at <= v_now
                   ORDER BY w.next_attempt_at LIMIT most_due FOR NO KEY UPDATE SKIP LOCKED);
  -- ORDER BY makes PostgreSQL use the index.
  PERFORM FROM attempts a WHERE a.started_at > v_now + ahead ORDER BY a.started_at DESC LIMIT 1;
  IF FOUND THEN
    UPDATE deliveries d SET status = 'queued'
      WHERE d.id IN (SELECT w.id FROM attempts a JOIN deliveries w ON w.id = a.delivery_id AND w.attempt_count = a.number
                     WHERE a.started_at > v_now + ahead AND w.status = 'pending' LIMIT most_due FOR NO KEY UPDATE OF w SKIP LOCKED);
  END IF;
  ids := '{}';
  classes := '{}';
  has_more := false;
  -- Most claims find nothing, and this check is ten times faster than choosing. ORDER BY makes PostgreSQL use the index.
  PERFORM FROM deliveries d WHERE d.status = 'queued' AND d.leased_until IS NULL ORDER BY d.queue_id, d.lane_id LIMIT 1;
  IF NOT FOUND THEN
    next_from := p_from;
    next_after := p_after;
    next_careful_after := p_careful_after;
    visited := 0;
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT * INTO chosen FROM choose_deliveries(v_now, p_places, p_careful_places, p_from, p_after, p_careful_after, p_bounds);
  IF chosen.ids IS NOT NULL THEN
    WITH leased AS (
      UPDATE deliveries d SET leased_by = p_worker, leased_at = v_now, leased_until = v_now + p_lease_ms * interval '1 millisecond',
        leased_as = chosen.classes[array_position(chosen.ids, d.id)], leased_host = chosen.hosts[array_position(chosen.ids, d.id)]
      WHERE d.id IN (SELECT w.id FROM deliveries w WHERE w.id = ANY (chosen.ids) AND w.status = 'queued' AND w.leased_until IS NULL
                     FOR NO KEY UPDATE SKIP LOCKED)
      RETURNING d.id, d.leased_as)
    SELECT array_agg(l.id ORDER BY array_position(chosen.ids, l.id)), array_agg(l.leased_as ORDER BY array_position(chosen.ids, l.id))
    FROM leased l INTO ids, classes;
  END IF;
  next_from := chosen.next_from;
  next_after := chosen.next_after;
  next_careful_after := chosen.next_careful_after;
  visited := chosen.visited;
  has_more := coalesce(chosen.has_more, false);
  RETURN NEXT;
END $$;
