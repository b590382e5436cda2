-- Returns whether a transfer exists and is of the given kind.
CREATE OR REPLACE FUNCTION transfer_is_of(p_transfer_id uuid, p_kind transfer_kind) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM transfers WHERE id = p_transfer_id AND kind = p_kind)
$$;
