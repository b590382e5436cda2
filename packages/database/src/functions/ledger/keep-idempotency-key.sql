-- A key names what it made for ever: one that is changed or taken away would make a repeat move money again.
CREATE OR REPLACE FUNCTION keep_idempotency_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: a key names what it made', TG_OP, TG_TABLE_NAME USING ERRCODE = 'TG090';
END $$;

CREATE TRIGGER idempotency_keys_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON idempotency_keys
  FOR EACH STATEMENT EXECUTE FUNCTION keep_idempotency_key();
