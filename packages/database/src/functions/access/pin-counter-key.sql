-- The key that wrong PINs are counted under: a typed `identifier`, a trusted `device`, a `session`, or a client network (`address`). Hashed,
-- so that any length fits and the text stays secret.
CREATE OR REPLACE FUNCTION pin_counter_key(p_kind text, p_subject text) RETURNS bytea LANGUAGE sql STABLE STRICT
  RETURN sha256(convert_to(p_kind || ' ' || p_subject, 'UTF8'));
