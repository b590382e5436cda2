-- Returns the number of failures that remain at p_at if one failure expires every p_forget_seconds, and the time from which the next
-- expiry is measured.
CREATE OR REPLACE FUNCTION failures_left(p_failures integer, p_counted_at timestamptz, p_forget_seconds integer, p_at timestamptz,
    OUT failures integer, OUT counted_at timestamptz) LANGUAGE plpgsql STABLE AS $$
DECLARE
  forgotten integer := least(p_failures, floor(extract(epoch FROM p_at - p_counted_at) / p_forget_seconds))::integer;
BEGIN
  failures := p_failures - forgotten;
  counted_at := CASE WHEN failures = 0 THEN p_at ELSE p_counted_at + make_interval(secs => forgotten * p_forget_seconds) END;
END $$;
