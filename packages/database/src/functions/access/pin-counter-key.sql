-- Returns the key under which wrong PINs, passwords and codes are counted: a hash of the kind of subject, such as a typed `identifier` or a
-- client network (`address`), and the subject. Hashing allows subjects of any length and keeps them secret.
CREATE OR REPLACE FUNCTION pin_counter_key(p_kind text, p_subject text) RETURNS bytea LANGUAGE sql STABLE STRICT
  RETURN sha256(convert_to(p_kind || ' ' || p_subject, 'UTF8'));
