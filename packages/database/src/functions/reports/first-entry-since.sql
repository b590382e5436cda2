-- Returns the number from which a wallet's entries are dated p_time or later; all entries with lower numbers are dated earlier. A wallet's
-- entries are numbered and dated under its lock, so their numbers and times increase together, even after a failover to a server with a clock
-- that is behind (date_transfer). A binary search can therefore find this number, and no entry moves to another day.
CREATE OR REPLACE FUNCTION first_entry_since(p_account_id uuid, p_time timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  low bigint := 1;
  high bigint := 1;
  last bigint := (SELECT id FROM entries
    WHERE (account_id, id) > (p_account_id, 0) AND (account_id, id) < (p_account_id, 9223372036854775807) ORDER BY account_id DESC, id DESC LIMIT 1);
  middle bigint;
  probe record;
BEGIN
  WHILE high <= last LOOP
    high := high * 2;
  END LOOP;
  WHILE low < high LOOP
    middle := low + (high - low) / 2;
    SELECT e.id, t.created_at INTO probe FROM entries e JOIN transfers t ON t.id = e.transfer_id
      WHERE (e.account_id, e.id) >= (p_account_id, middle) AND (e.account_id, e.id) <= (p_account_id, last) ORDER BY e.account_id, e.id LIMIT 1;
    IF probe.created_at < p_time THEN
      low := probe.id + 1;
    ELSE
      high := middle;
    END IF;
  END LOOP;
  RETURN low;
END $$;
