-- Returns whether a console user has a second factor. If so, sign-in requires it. Every kind of second factor must be listed here.
CREATE OR REPLACE FUNCTION has_second_factor(p_user_id uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM console_totps t WHERE t.user_id = p_user_id AND t.confirmed_at IS NOT NULL)
    OR EXISTS (SELECT FROM console_passkeys p WHERE p.user_id = p_user_id)
$$;
