-- Returns the data of a `report.ready` event: the wallet, as named in reports, and the UTC day.
CREATE OR REPLACE FUNCTION report_event_data(a accounts, p_date date) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'wallet', a.currency || CASE a.kind WHEN 'hold' THEN '-held' ELSE '' END,
    'date', p_date,
    'time_zone', 'UTC')
$$;
