-- Whether a UTC day of a wallet has entries, and can get no more.
CREATE OR REPLACE FUNCTION report_is_ready(p_account_id uuid, p_date date) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RETURN period_is_closed(p_account_id, start_of_utc_day(p_date + 1)) AND EXISTS (
    SELECT FROM entries WHERE (account_id, id) >= (p_account_id, first_entry_since(p_account_id, start_of_utc_day(p_date)))
      AND (account_id, id) < (p_account_id, first_entry_since(p_account_id, start_of_utc_day(p_date + 1))));
END $$;
