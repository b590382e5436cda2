-- Returns the start of the five-minute interval of count_deltas that contains a time. Each interval of span_counts and quarter_hour_sums consists of
-- whole five-minute intervals.
CREATE OR REPLACE FUNCTION five_minutes_of(p_created_at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT date_bin('5 minutes', p_created_at, '2000-01-01 00:00:00+00')
$$;
