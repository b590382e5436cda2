-- The turn below which every event is decided, without waiting for transactions that write no events: the floor, or less if a transaction
-- below it has written events and not ended; p_process is then its server process. A writer of events locks the table before its position
-- is chosen, until it ends. So a transaction without the lock will choose a position at or above the floor, which was committed before, and
-- one below the floor has the lock and is seen here. The lock on a transaction's own number has 32 bits. The floor completes the number,
-- since it is at most 2^31 away.
CREATE OR REPLACE FUNCTION event_horizon(OUT turn bigint, OUT process int) LANGUAGE sql AS $$
  WITH floor AS MATERIALIZED (SELECT turn FROM event_floor),
  held AS MATERIALIZED (SELECT * FROM pg_locks WHERE granted),
  writers AS (
    SELECT f.turn - ((f.turn % 4294967296 - own.transactionid::text::bigint + 6442450944) % 4294967296 - 2147483648) AS turn, own.pid
    FROM floor f CROSS JOIN held AS own JOIN held AS writing USING (virtualtransaction)
    WHERE own.locktype = 'transactionid' AND own.mode = 'ExclusiveLock' AND writing.locktype = 'relation' AND writing.mode = 'RowExclusiveLock'
      AND writing.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND writing.relation = 'events'::regclass)
  SELECT coalesce(w.turn, f.turn), w.pid FROM floor f LEFT JOIN writers w ON w.turn < f.turn ORDER BY w.turn LIMIT 1
$$;
