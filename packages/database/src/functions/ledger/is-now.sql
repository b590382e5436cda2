-- Whether a time is the current time of this statement, within a second in case the clock is adjusted.
CREATE OR REPLACE FUNCTION is_now(p_time timestamptz) RETURNS boolean LANGUAGE sql AS $$
  SELECT p_time BETWEEN statement_timestamp() - interval '1 second' AND clock_timestamp() + interval '1 second'
$$;
