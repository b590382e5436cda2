-- Returns the start of the ten-minute interval of span_counts that contains a time.
CREATE OR REPLACE FUNCTION span_of(p_created_at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT date_bin('10 minutes', p_created_at, '2000-01-01 00:00:00+00')
$$;
