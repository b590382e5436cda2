-- An endpoint that was warned about or disabled is put before the merchant's people, in the transaction that did it.
CREATE OR REPLACE FUNCTION write_notice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO notices (id, merchant_id, mode) VALUES (NEW.id, NEW.merchant_id, NEW.mode);
  RETURN NULL;
END $$;

CREATE TRIGGER timeline_entries_are_noticed AFTER INSERT ON timeline_entries FOR EACH ROW
  WHEN (NEW.kind IN ('receiver.warning', 'receiver.disabled')) EXECUTE FUNCTION write_notice();
