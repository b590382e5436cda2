-- Whether a change of a quote does not extend it, and uses it, if at all, now and before it expires.
CREATE OR REPLACE FUNCTION quote_times_are_honest(p_end_before timestamptz, p_end timestamptz, p_used_at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_end <= p_end_before AND (p_used_at IS NULL OR (p_used_at <= p_end AND p_used_at BETWEEN transaction_timestamp() AND clock_timestamp()))
$$;
