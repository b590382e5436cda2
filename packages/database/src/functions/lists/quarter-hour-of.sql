-- Returns the start of the interval of quarter_hour_sums that contains a time. In every time zone, days start on a quarter hour.
CREATE OR REPLACE FUNCTION quarter_hour_of(p_created_at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT date_bin('15 minutes', p_created_at, '2000-01-01 00:00:00+00')
$$;
