-- Returns the time at which a day starts in UTC, regardless of the session's time zone.
CREATE OR REPLACE FUNCTION start_of_utc_day(p_date date) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT p_date::timestamp AT TIME ZONE 'UTC'
$$;
