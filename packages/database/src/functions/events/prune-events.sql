-- Deletes up to p_limit events older than p_days, with their deliveries and attempts. Keeps locked events, and events with a pending,
-- queued or held delivery. Moves the pruning time forward. Returns the number of deleted events. TG090 as in guard_event_retention.
CREATE OR REPLACE FUNCTION prune_events(p_days integer, p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  horizon timestamptz := clock_timestamp() - p_days * interval '1 day';
  chosen text[];
BEGIN
  UPDATE event_retention SET pruned_before = horizon WHERE pruned_before < horizon;
  -- A concurrent resend holds the delivery's lock, or waits for this transaction and finds the delivery deleted.
  chosen := ARRAY(SELECT e.id FROM events e WHERE e.created_at < horizon
    AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id AND d.status IN ('pending', 'queued', 'held'))
    ORDER BY e.created_at LIMIT p_limit FOR UPDATE SKIP LOCKED);
  PERFORM FROM deliveries WHERE event_id = ANY (chosen) ORDER BY id FOR UPDATE;
  chosen := ARRAY(SELECT c.event_id FROM unnest(chosen) AS c (event_id) WHERE NOT EXISTS (
    SELECT FROM deliveries d WHERE d.event_id = c.event_id AND d.status IN ('pending', 'queued', 'held')));
  DELETE FROM attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE event_id = ANY (chosen));
  DELETE FROM deliveries WHERE event_id = ANY (chosen);
  DELETE FROM events WHERE id = ANY (chosen);
  RETURN cardinality(chosen);
END $$;
