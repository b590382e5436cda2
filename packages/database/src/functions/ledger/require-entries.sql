-- A transfer is committed with its entries. So other transactions see it only with its entries, and the check of
-- book_entries is exact.
CREATE OR REPLACE FUNCTION require_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM entries WHERE transfer_id = NEW.id) THEN
    RAISE EXCEPTION 'transfer % has no entries', NEW.id USING ERRCODE = 'TG091';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER transfers_have_entries AFTER INSERT ON transfers DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_entries();
