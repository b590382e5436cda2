-- Counts a PIN as wrong before it is looked at, so that guesses in parallel cannot pass a limit together: the lock that it
-- brings begins at once, and a right PIN takes it back. Answers 0, or the seconds to wait where any counter is locked;
-- nothing is counted then. Counters are locked in the order of their keys.
CREATE OR REPLACE FUNCTION count_pin(p_counters pin_counter[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  counter record;
  held integer;
  at timestamptz;
  wait interval;
  left_over integer;
  forgotten integer;
  counted_from timestamptz;
  locked timestamptz;
BEGIN
  -- A counter that is swept away or forgiven between the two statements is made again.
  LOOP
    INSERT INTO pin_failures (key, failures, counted_at, locked_until, stale_at)
      SELECT c.key, 0, clock_timestamp(), '-infinity', clock_timestamp() + interval '1 hour' FROM unnest(p_counters) c ORDER BY c.key ON CONFLICT DO NOTHING;
    PERFORM FROM pin_failures WHERE key IN (SELECT c.key FROM unnest(p_counters) c) ORDER BY key FOR UPDATE;
    GET DIAGNOSTICS held = ROW_COUNT;
    EXIT WHEN held = cardinality(p_counters);
  END LOOP;
  at := clock_timestamp();
  SELECT max(locked_until - at) INTO wait FROM pin_failures WHERE key IN (SELECT c.key FROM unnest(p_counters) c) AND locked_until > at;
  IF wait IS NOT NULL THEN
    RETURN greatest(1, ceil(extract(epoch FROM wait)))::integer;
  END IF;
  FOR counter IN SELECT f.*, c.free, c.forget_seconds, c.lock_seconds FROM pin_failures f JOIN unnest(p_counters) c ON c.key = f.key LOOP
    forgotten := least(counter.failures, floor(extract(epoch FROM at - counter.counted_at) / counter.forget_seconds))::integer;
    left_over := counter.failures - forgotten;
    counted_from := CASE WHEN left_over = 0 THEN at ELSE counter.counted_at + make_interval(secs => forgotten * counter.forget_seconds) END;
    left_over := left_over + 1;
    locked := CASE WHEN left_over < counter.free THEN '-infinity'
      ELSE at + make_interval(secs => counter.lock_seconds[least(left_over - counter.free + 1, array_length(counter.lock_seconds, 1))]) END;
    UPDATE pin_failures SET failures = left_over, counted_at = counted_from, locked_until = locked,
        stale_at = greatest(locked, counted_from + make_interval(secs => left_over * counter.forget_seconds))
      WHERE key = counter.key;
  END LOOP;
  -- What says nothing any more is swept along, without waiting for anybody.
  DELETE FROM pin_failures WHERE key IN (SELECT key FROM pin_failures WHERE stale_at < at ORDER BY stale_at LIMIT 10 FOR UPDATE SKIP LOCKED);
  RETURN 0;
END $$;
