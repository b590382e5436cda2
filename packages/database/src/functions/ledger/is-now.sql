-- Whether a time is now in this statement, tolerating an adjusted clock.
CREATE OR REPLACE FUNCTION is_now(p_time timestamptz) RETURNS boolean LANGUAGE sql AS $$
  SELECT p_time BETWEEN statement_timestamp() - interval '1 second' AND clock_timestamp() + interval '1 second'
$$;
