-- Returns whether there is an audit record of this action by this administrator on this subject with these details. For speed, only details that
-- contain p_id are parsed.
CREATE OR REPLACE FUNCTION is_recorded(p_administrator_id uuid, p_action text, p_subject text, p_id text, p_details jsonb)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM audit_records WHERE subject = p_subject AND action = p_action AND administrator_id = p_administrator_id
      AND CASE WHEN strpos(details, p_id) > 0 THEN details::jsonb @> p_details END)
$$;
