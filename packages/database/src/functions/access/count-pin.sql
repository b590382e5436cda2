-- Counts a PIN as wrong before it is verified, so that parallel guesses cannot exceed a limit; forgive_pin undoes that for a correct PIN.
-- Too many failures lock the subject. An address (null for an account's trusted device) is not locked but throttled: after its free
-- failures, or from the first failure if p_hurried, its PINs are verified one at a time, lock_seconds apart. If the subject is locked, or the
-- address would have to wait longer than p_longest_wait_seconds, counts nothing and returns the seconds until a retry is possible;
-- otherwise returns the milliseconds to wait before verifying. Rows are locked in the order of their keys.
CREATE OR REPLACE FUNCTION count_pin(p_subject pin_counter, p_address pin_counter, p_hurried boolean, p_longest_wait_seconds integer,
    OUT locked_seconds integer, OUT busy_seconds integer, OUT wait_ms integer) LANGUAGE plpgsql AS $$
DECLARE
  keys bytea[] := array_remove(ARRAY[(p_subject).key, (p_address).key], NULL);
  held integer;
  at timestamptz;
  subject record;
  address record;
  until timestamptz;
  place timestamptz;
  gap integer;
BEGIN
  locked_seconds := 0;
  busy_seconds := 0;
  wait_ms := 0;
  -- Retries if a row is deleted between the two statements.
  LOOP
    INSERT INTO pin_failures (key, failures, counted_at, locked_until, stale_at)
      SELECT k, 0, clock_timestamp(), '-infinity', clock_timestamp() + interval '1 hour' FROM unnest(keys) k ORDER BY k ON CONFLICT DO NOTHING;
    PERFORM FROM pin_failures f WHERE f.key = ANY (keys) ORDER BY f.key FOR UPDATE;
    GET DIAGNOSTICS held = ROW_COUNT;
    EXIT WHEN held = cardinality(keys);
  END LOOP;
  at := clock_timestamp();
  SELECT f.locked_until, l.* INTO subject
    FROM pin_failures f, failures_left(f.failures, f.counted_at, (p_subject).forget_seconds, at) l WHERE f.key = (p_subject).key;
  IF subject.locked_until > at THEN
    locked_seconds := greatest(1, ceil(extract(epoch FROM subject.locked_until - at)));
    RETURN;
  END IF;
  IF (p_address).key IS NOT NULL THEN
    SELECT greatest(at, f.locked_until) AS free_from, l.failures + 1 AS failures, l.counted_at INTO address
      FROM pin_failures f, failures_left(f.failures, f.counted_at, (p_address).forget_seconds, at) l WHERE f.key = (p_address).key;
    place := address.free_from;
    IF place - at > make_interval(secs => p_longest_wait_seconds) THEN
      busy_seconds := greatest(1, ceil(extract(epoch FROM place - at) - p_longest_wait_seconds));
      RETURN;
    END IF;
    gap := CASE WHEN address.failures < (p_address).free AND NOT p_hurried THEN 0
      ELSE (p_address).lock_seconds[greatest(1, least(address.failures - (p_address).free + 1, cardinality((p_address).lock_seconds)))] END;
    until := place + make_interval(secs => gap);
    wait_ms := ceil(extract(epoch FROM place - at) * 1000);
    UPDATE pin_failures f SET failures = address.failures, counted_at = address.counted_at, locked_until = until,
        stale_at = greatest(until, address.counted_at + make_interval(secs => address.failures * (p_address).forget_seconds))
      WHERE f.key = (p_address).key;
  END IF;
  until := CASE WHEN subject.failures + 1 < (p_subject).free THEN '-infinity'
    ELSE at + make_interval(secs => (p_subject).lock_seconds[least(subject.failures - (p_subject).free + 2, cardinality((p_subject).lock_seconds))]) END;
  UPDATE pin_failures f SET failures = subject.failures + 1, counted_at = subject.counted_at, locked_until = until,
      stale_at = greatest(until, subject.counted_at + make_interval(secs => (subject.failures + 1) * (p_subject).forget_seconds))
    WHERE f.key = (p_subject).key;
  -- Also deletes expired rows, without waiting for locks.
  DELETE FROM pin_failures WHERE key IN (SELECT s.key FROM pin_failures s WHERE s.stale_at < at ORDER BY s.stale_at LIMIT 10 FOR UPDATE SKIP LOCKED);
END $$;
