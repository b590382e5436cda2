-- Returns whether a UTC day of a wallet has entries and can receive no more entries.
CREATE OR REPLACE FUNCTION report_is_ready(p_account_id uuid, p_date date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  first_entry bigint;
  next_entry bigint;
BEGIN
  IF NOT period_is_closed(p_account_id, start_of_utc_day(p_date + 1)) THEN
    RETURN false;
  END IF;
  first_entry := first_entry_since(p_account_id, start_of_utc_day(p_date));
  next_entry := first_entry_since(p_account_id, start_of_utc_day(p_date + 1));
  PERFORM FROM entries WHERE (account_id, id) >= (p_account_id, first_entry) AND (account_id, id) < (p_account_id, next_entry)
    ORDER BY account_id, id LIMIT 1;
  RETURN FOUND;
END $$;
