-- The five minutes of count_deltas that a time belongs to: they are parts of the ten minutes of span_counts and of a quarter of an hour.
CREATE OR REPLACE FUNCTION five_minutes_of(p_created_at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT date_bin('5 minutes', p_created_at, '2000-01-01 00:00:00+00')
$$;
