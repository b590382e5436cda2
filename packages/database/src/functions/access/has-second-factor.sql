-- Whether a console user has a second factor: sessions without it wait, and money and secrets ask for it. Every kind of
-- second factor is named here.
CREATE OR REPLACE FUNCTION has_second_factor(p_user_id uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM console_totps t WHERE t.user_id = p_user_id AND t.confirmed_at IS NOT NULL)
    OR EXISTS (SELECT FROM console_passkeys p WHERE p.user_id = p_user_id)
$$;
