-- The key of what wrong PINs are counted under: what strangers type (`identifier`), an account's own device (`device`) or
-- session (`session`), or a client's network (`address`). Kept as a hash, so that any length fits and none is told.
CREATE OR REPLACE FUNCTION pin_counter_key(p_kind text, p_subject text) RETURNS bytea LANGUAGE sql STABLE STRICT
  RETURN sha256(convert_to(p_kind || ' ' || p_subject, 'UTF8'));
