-- Returns whether the two IDs belong to two different console users who are both active administrators.
CREATE OR REPLACE FUNCTION are_active_administrators(p_one uuid, p_other uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT count(*) = 2 FROM console_users WHERE id IN (p_one, p_other) AND role = 'administrator' AND disabled_at IS NULL
$$;
