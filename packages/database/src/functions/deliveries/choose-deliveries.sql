-- Chooses a worker's next deliveries, round-robin over queues, within limits on in-flight attempts of all processes. Called only by
-- claim_deliveries, which holds the lock, documents the parameters and leases the chosen rows.
CREATE OR REPLACE FUNCTION choose_deliveries(p_now timestamptz, p_places integer, p_careful_places integer,
  p_from uuid, p_after uuid, p_careful_after uuid, p_bounds jsonb,
  OUT ids uuid[], OUT classes text[], OUT hosts text[], OUT next_from uuid, OUT next_after uuid, OUT next_careful_after uuid,
  OUT visited integer, OUT has_more boolean)
LANGUAGE plpgsql
-- The queries are planned once per connection, because planning costs more than executing, and without nested loops, because the number of
-- in-flight attempts is not estimated.
SET plan_cache_mode = force_generic_plan SET jit = off SET enable_nestloop = off AS $$
DECLARE
  -- Same values as in record_response.
  slow_after CONSTANT interval := '2 seconds';
  slow_from CONSTANT integer := 3;
  -- Limits on queues visited, and on lanes per queue.
  most_queues CONSTANT integer := 2000;
  most_lanes CONSTANT integer := 16;
  -- The backlog gets at most one in this many of a lane's slots (but at least one), and is sorted as if it were due this much later.
  backlog_share CONSTANT integer := 4;
  backlog_patience CONSTANT interval := '1 minute';
  last_id CONSTANT uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
BEGIN
  WITH RECURSIVE
  bound AS MATERIALIZED (
    SELECT b.key AS class, (b.value ->> 'lane')::integer AS lane, (b.value ->> 'queue')::integer AS queue,
      (b.value ->> 'host')::integer AS host, (b.value ->> 'merchant')::integer AS merchant
    FROM jsonb_each(p_bounds) AS b),
  under_way AS MATERIALIZED (
    SELECT d.queue_id, d.lane_id, d.merchant_id, d.mode, d.leased_host AS host, d.leased_as AS class, d.in_backlog,
      d.leased_as <> 'prompt' OR d.leased_at > p_now - slow_after AS counts
    FROM deliveries d WHERE d.leased_until IS NOT NULL),
  of_lane AS MATERIALIZED (
    SELECT u.lane_id, count(*) AS n, count(*) FILTER (WHERE u.in_backlog) AS backlog FROM under_way u GROUP BY u.lane_id),
  of_queue AS MATERIALIZED (
    SELECT u.queue_id, u.class, count(*) FILTER (WHERE u.counts) AS n FROM under_way u GROUP BY u.queue_id, u.class),
  of_host AS MATERIALIZED (SELECT u.host, u.class, count(*) AS n FROM under_way u WHERE u.counts GROUP BY u.host, u.class),
  of_merchant AS MATERIALIZED (
    SELECT u.merchant_id, u.mode, u.class, count(*) AS n FROM under_way u WHERE u.counts GROUP BY u.merchant_id, u.mode, u.class),
  -- Loose index scan over the queues: one full round that starts after p_from.
  walk AS (
    SELECT p_from AS queue_id, NULL::uuid AS lane_id, false AS wrapped, 0 AS step
    UNION ALL
    SELECT n.queue_id, n.lane_id, n.wrapped, w.step + 1 FROM walk w CROSS JOIN LATERAL (
      (SELECT d.queue_id, d.lane_id, w.wrapped FROM deliveries d
       WHERE d.status = 'queued' AND d.leased_until IS NULL
         AND d.queue_id > w.queue_id AND d.queue_id <= CASE WHEN w.wrapped THEN p_from ELSE last_id END
       ORDER BY d.queue_id, d.lane_id LIMIT 1)
      UNION ALL
      (SELECT d.queue_id, d.lane_id, true FROM deliveries d
       WHERE NOT w.wrapped AND d.status = 'queued' AND d.leased_until IS NULL AND d.queue_id <= p_from
       ORDER BY d.queue_id, d.lane_id LIMIT 1)
      LIMIT 1) AS n
    WHERE w.step < most_queues),
  queues AS MATERIALIZED (
    SELECT w.queue_id, w.lane_id, s.answers IS TRUE AS answers,
      s.answers IS NULL AND NOT EXISTS (SELECT FROM of_queue q WHERE q.queue_id = w.queue_id) AS is_new,
      w.lane_id <> w.queue_id AND w.lane_id < (
        SELECT d.lane_id FROM deliveries d WHERE d.status = 'queued' AND d.leased_until IS NULL AND d.queue_id = w.queue_id
        ORDER BY d.lane_id DESC LIMIT 1) AS has_lanes
    FROM walk w
    CROSS JOIN LATERAL (SELECT (SELECT l.answers FROM delivery_lanes l WHERE l.id = w.queue_id) AS answers) AS s
    WHERE w.step > 0),
  lane_ids AS MATERIALIZED (
    SELECT q.queue_id, q.lane_id, q.answers, q.is_new FROM queues q WHERE NOT q.has_lanes
    UNION ALL
    -- Queues with several lanes are scanned from a random start, so that no lane starves.
    SELECT q.queue_id, l.lane_id, q.answers, q.is_new FROM queues q
    CROSS JOIN LATERAL (
      WITH RECURSIVE around AS (
        SELECT md5(q.queue_id::text || p_now::text)::uuid AS lane_id, md5(q.queue_id::text || p_now::text)::uuid AS start,
          false AS wrapped, 0 AS step
        UNION ALL
        SELECT n.lane_id, a.start, n.wrapped, a.step + 1 FROM around a CROSS JOIN LATERAL (
          (SELECT d.lane_id, a.wrapped FROM deliveries d
           WHERE d.status = 'queued' AND d.leased_until IS NULL AND d.queue_id = q.queue_id AND d.lane_id > a.lane_id
             AND d.lane_id <= CASE WHEN a.wrapped THEN a.start ELSE last_id END
           ORDER BY d.lane_id LIMIT 1)
          UNION ALL
          (SELECT d.lane_id, true FROM deliveries d
           WHERE NOT a.wrapped AND d.status = 'queued' AND d.leased_until IS NULL AND d.queue_id = q.queue_id AND d.lane_id <= a.start
           ORDER BY d.lane_id LIMIT 1)
          LIMIT 1) AS n
        WHERE a.step < most_lanes)
      SELECT a.lane_id FROM around a WHERE a.step > 0) AS l
    WHERE q.has_lanes),
  lanes AS MATERIALIZED (
    SELECT l.queue_id, l.lane_id, c.class, b.lane - coalesce(u.n, 0)::integer AS places,
      greatest(1, b.lane / backlog_share) - coalesce(u.backlog, 0)::integer AS backlog_places
    FROM lane_ids l
    CROSS JOIN LATERAL (SELECT CASE
      WHEN (SELECT s.slow_in_row FROM delivery_lanes s WHERE s.id = l.lane_id) >= slow_from THEN 'slow'
      WHEN l.answers THEN 'prompt' WHEN l.is_new THEN 'first' ELSE 'careful' END AS class) AS c
    JOIN bound b ON b.class = c.class
    LEFT JOIN of_lane u ON u.lane_id = l.lane_id
    LEFT JOIN of_queue t ON t.queue_id = l.queue_id AND t.class = c.class
    WHERE b.lane > coalesce(u.n, 0) AND b.queue > coalesce(t.n, 0)),
  candidates AS MATERIALIZED (
    SELECT l.queue_id, l.lane_id, l.class, l.class IN ('careful', 'slow') AS is_careful, d.id, d.place, d.merchant_id, d.mode, h.host,
      (l.queue_id <= CASE WHEN l.class IN ('careful', 'slow') THEN p_careful_after ELSE p_after END, l.queue_id) AS turn
    FROM lanes l
    CROSS JOIN LATERAL (
      SELECT e.*, row_number() OVER (ORDER BY e.next_attempt_at + CASE WHEN e.in_backlog THEN backlog_patience ELSE '0' END) AS place
      FROM (
        (SELECT d.id, d.merchant_id, d.mode, d.receiver_id, d.address, d.in_backlog, d.next_attempt_at FROM deliveries d
         WHERE d.status = 'queued' AND d.leased_until IS NULL AND d.queue_id = l.queue_id AND d.lane_id = l.lane_id AND NOT d.in_backlog
         ORDER BY d.next_attempt_at LIMIT l.places)
        UNION ALL
        (SELECT d.id, d.merchant_id, d.mode, d.receiver_id, d.address, d.in_backlog, d.next_attempt_at FROM deliveries d
         WHERE d.status = 'queued' AND d.leased_until IS NULL AND d.queue_id = l.queue_id AND d.lane_id = l.lane_id AND d.in_backlog
         ORDER BY d.next_attempt_at LIMIT greatest(0, least(l.places, l.backlog_places)))) AS e
      ORDER BY place LIMIT l.places) AS d
    CROSS JOIN LATERAL (SELECT host_of_address(
      coalesce((SELECT r.address FROM receivers r WHERE r.id = d.receiver_id), d.address)) AS host) AS h
    JOIN bound b ON b.class = l.class
    LEFT JOIN of_host oh ON oh.host = h.host AND oh.class = l.class
    LEFT JOIN of_merchant om ON om.merchant_id = d.merchant_id AND om.mode = d.mode AND om.class = l.class
    WHERE b.host > coalesce(oh.n, 0) AND b.merchant > coalesce(om.n, 0)),
  -- Each limit applies to the result of the previous limit. Deliveries beyond a limit wait for a later claim.
  in_queues AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.queue_id ORDER BY c.place, c.lane_id) AS round FROM (
      SELECT c.*, row_number() OVER (PARTITION BY c.queue_id, c.class ORDER BY c.place, c.lane_id) + coalesce(t.n, 0) AS n
      FROM candidates c LEFT JOIN of_queue t ON t.queue_id = c.queue_id AND t.class = c.class) AS c
    JOIN bound b ON b.class = c.class WHERE c.n <= b.queue),
  in_merchants AS (
    SELECT c.* FROM (
      SELECT c.queue_id, c.class, c.is_careful, c.id, c.host, c.round, c.turn,
        row_number() OVER (PARTITION BY c.merchant_id, c.mode, c.class ORDER BY c.round, c.turn) + coalesce(t.n, 0) AS n
      FROM in_queues c LEFT JOIN of_merchant t ON t.merchant_id = c.merchant_id AND t.mode = c.mode AND t.class = c.class) AS c
    JOIN bound b ON b.class = c.class WHERE c.n <= b.merchant),
  in_hosts AS (
    SELECT c.* FROM (
      SELECT c.queue_id, c.class, c.is_careful, c.id, c.host, c.round, c.turn,
        row_number() OVER (PARTITION BY c.host, c.class ORDER BY c.round, c.turn) + coalesce(t.n, 0) AS n
      FROM in_merchants c LEFT JOIN of_host t ON t.host = c.host AND t.class = c.class) AS c
    JOIN bound b ON b.class = c.class WHERE c.n <= b.host),
  chosen AS MATERIALIZED (
    SELECT c.* FROM (
      SELECT c.*, row_number() OVER (PARTITION BY c.is_careful ORDER BY c.round, c.turn) AS place FROM in_hosts c) AS c
    WHERE c.place <= CASE WHEN c.is_careful THEN p_careful_places ELSE p_places END)
  SELECT array_agg(c.id ORDER BY c.place), array_agg(c.class ORDER BY c.place), array_agg(c.host ORDER BY c.place),
    (SELECT CASE WHEN max(w.step) = most_queues THEN (array_agg(w.queue_id ORDER BY w.step DESC))[1] ELSE p_from END FROM walk w),
    coalesce((array_agg(c.queue_id ORDER BY c.turn DESC) FILTER (WHERE NOT c.is_careful AND c.round = 1))[1], p_after),
    coalesce((array_agg(c.queue_id ORDER BY c.turn DESC) FILTER (WHERE c.is_careful AND c.round = 1))[1], p_careful_after),
    (SELECT count(*) FROM queues), (SELECT count(*) FROM lane_ids) > (SELECT count(*) FROM lanes) OR (SELECT bool_or(q.has_lanes) FROM queues q)
      OR count(*) < (SELECT count(*) FROM candidates) OR EXISTS (SELECT FROM candidates d JOIN lanes l ON l.lane_id = d.lane_id WHERE d.place = l.places)
  FROM chosen c INTO ids, classes, hosts, next_from, next_after, next_careful_after, visited, has_more;
END $$;
