-- Undoes count_pin after a correct PIN and resets the subject's failures. An address keeps its earlier failures; otherwise, a caller who
-- knows one PIN could guess others indefinitely. Returns the subject's failures before this PIN.
CREATE OR REPLACE FUNCTION forgive_pin(p_subject bytea, p_address bytea) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  before integer;
BEGIN
  PERFORM FROM pin_failures WHERE key IN (p_subject, p_address) ORDER BY key FOR UPDATE;
  DELETE FROM pin_failures WHERE key = p_subject RETURNING failures - 1 INTO before;
  UPDATE pin_failures SET failures = greatest(0, failures - 1) WHERE key = p_address;
  RETURN coalesce(before, 0);
END $$;
