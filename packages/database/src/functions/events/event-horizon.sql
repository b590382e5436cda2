-- Returns the turn below which no more events can be committed. Does not wait for transactions that write no events. The turn is the floor or, if
-- transactions with turns below the floor are still writing events, the lowest of those turns; the server process of the transaction with
-- that turn is then returned too. A transaction that writes events locks the table before its turn is chosen, and holds the lock until it
-- ends. The raised floor is already committed, so a transaction that does not hold the lock yet will get a turn at or above it. An open
-- transaction with a turn below the floor holds the lock and is therefore seen here. pg_locks shows only 32 bits of a transaction ID. The
-- other bits follow from the floor, which is at most 2^31 away.
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
