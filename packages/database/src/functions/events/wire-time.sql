-- Formats a time for the API: UTC, whole seconds, offset +00:00.
CREATE OR REPLACE FUNCTION wire_time(p_time timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')
$$;
