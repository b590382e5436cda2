-- Writes `report.ready` events: for up to p_limit wallets, the event of the first closed UTC day that has entries but no event yet. Returns
-- how many cursors moved, with or without an event. A cursor moves under its lock, in the transaction of the event, so neither a crash nor a
-- concurrent call repeats or skips a day. One day of each wallet per call keeps the transaction short: the transaction holds back the event
-- feeds, and locks wallets that have no later entry. A day is read after it was found closed, in a new snapshot, so no late entry is
-- missed.
CREATE OR REPLACE FUNCTION write_report_events(p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  -- period_is_closed waits for a minute.
  today CONSTANT date := ((clock_timestamp() - interval '1 minute') AT TIME ZONE 'UTC')::date;
  c report_cursors;
  next_entry bigint;
  day date;
  moved int := 0;
BEGIN
  FOR c IN SELECT * FROM report_cursors
    WHERE next_date < today AND period_is_closed(account_id, start_of_utc_day(today))
    ORDER BY next_date, account_id LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    next_entry := first_entry_since(c.account_id, start_of_utc_day(c.next_date));
    SELECT (t.created_at AT TIME ZONE 'UTC')::date INTO day FROM (
      SELECT transfer_id FROM entries WHERE (account_id, id) >= (c.account_id, next_entry) AND (account_id, id) < (c.account_id, 9223372036854775807)
      ORDER BY account_id, id LIMIT 1) AS e JOIN transfers t ON t.id = e.transfer_id;
    -- True if the clock has since been set back. Moving the cursor would skip the day.
    CONTINUE WHEN day < today AND NOT period_is_closed(c.account_id, start_of_utc_day(day + 1));
    -- False if, after a failover, a clock that was behind left the entry in the report of another day.
    IF day < today AND report_is_ready(c.account_id, day) THEN
      INSERT INTO events (mode, merchant_id, name, account_id, report_date)
        SELECT mode, merchant_id, 'report.ready', id, day FROM accounts WHERE id = c.account_id;
    END IF;
    UPDATE report_cursors SET next_date = least(day + 1, today) WHERE account_id = c.account_id;
    moved := moved + 1;
  END LOOP;
  RETURN moved;
END $$;
