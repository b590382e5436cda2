-- Returns whether a time lies between the start of this statement and now, with a tolerance of a second in case the clock is adjusted; null if
-- the time is null.
CREATE OR REPLACE FUNCTION is_now(p_time timestamptz) RETURNS boolean LANGUAGE sql AS $$
  SELECT p_time BETWEEN statement_timestamp() - interval '1 second' AND clock_timestamp() + interval '1 second'
$$;
