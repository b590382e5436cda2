-- The key that wrong PINs, passwords and codes are counted under: the kind of subject, such as a typed `identifier` or a client network
-- (`address`), and the subject. The key is hashed, so that any length fits and the text stays secret.
CREATE OR REPLACE FUNCTION pin_counter_key(p_kind text, p_subject text) RETURNS bytea LANGUAGE sql STABLE STRICT
  RETURN sha256(convert_to(p_kind || ' ' || p_subject, 'UTF8'));
