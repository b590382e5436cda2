-- Returns whether an update of a quote or conversion does not extend its validity and sets the time of use, if at all, to the current time,
-- which must not be after the expiry.
CREATE OR REPLACE FUNCTION is_valid_quote_time_change(p_end_before timestamptz, p_end timestamptz, p_used_at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_end <= p_end_before AND (p_used_at IS NULL OR (p_used_at <= p_end AND p_used_at BETWEEN transaction_timestamp() AND clock_timestamp()))
$$;
