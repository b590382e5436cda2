-- The PIN was right: what count_pin counted for it is taken back, and the account starts anew. An address keeps its
-- earlier failures, or whoever knows one PIN could guess others for ever.
CREATE OR REPLACE FUNCTION forgive_pin(p_account bytea, p_address bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM pin_failures WHERE key IN (p_account, p_address) ORDER BY key FOR UPDATE;
  DELETE FROM pin_failures WHERE key = p_account;
  UPDATE pin_failures SET failures = greatest(0, failures - 1), locked_until = '-infinity' WHERE key = p_address;
END $$;
