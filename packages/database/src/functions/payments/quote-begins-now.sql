-- Returns whether a quote is valid for at most an hour and its creation time is current: at most a minute before the transaction started.
CREATE OR REPLACE FUNCTION quote_begins_now(p_created_at timestamptz, p_expires_at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_created_at BETWEEN transaction_timestamp() - interval '1 minute' AND clock_timestamp() AND p_expires_at <= p_created_at + interval '1 hour'
$$;
