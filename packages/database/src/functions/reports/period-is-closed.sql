-- Returns whether a wallet's entries before a time are final: no more entries can be committed. An entry at that time or later proves it, because a
-- wallet's entries are committed in the order of their numbers. Otherwise, the wallet's lock must be free after that time, because anyone
-- who locks it later also dates the entries later. In case of a failover to a server with a clock that is behind, there must also be a
-- transfer at that time or later (date_transfer); without one, the period stays open for an hour. It always stays open for a minute, for
-- transfers that are not committed yet.
CREATE OR REPLACE FUNCTION period_is_closed(p_account_id uuid, p_end timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  next_entry bigint;
BEGIN
  IF clock_timestamp() < p_end + interval '1 minute' THEN
    RETURN false;
  END IF;
  next_entry := first_entry_since(p_account_id, p_end);
  -- Ordered, because EXISTS would read the whole table for a wallet without an entry at that time or later.
  PERFORM FROM entries WHERE (account_id, id) >= (p_account_id, next_entry) AND (account_id, id) < (p_account_id, 9223372036854775807)
    ORDER BY account_id, id LIMIT 1;
  IF FOUND THEN
    RETURN true;
  END IF;
  IF clock_timestamp() < p_end + interval '1 hour' AND NOT EXISTS (
      SELECT FROM transfers WHERE id = (SELECT transfer_id FROM entries ORDER BY id DESC LIMIT 1) AND created_at >= p_end) THEN
    RETURN false;
  END IF;
  PERFORM FROM accounts WHERE id = p_account_id FOR SHARE SKIP LOCKED;
  RETURN FOUND;
END $$;
