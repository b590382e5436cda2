-- The key under which wrong PINs are counted: a stranger's typed text (`identifier`), an account's own device (`device`) or
-- session (`session`), or a client's network (`address`). It is a hash, so any length fits and the text stays secret.
CREATE OR REPLACE FUNCTION pin_counter_key(p_kind text, p_subject text) RETURNS bytea LANGUAGE sql STABLE STRICT
  RETURN sha256(convert_to(p_kind || ' ' || p_subject, 'UTF8'));
