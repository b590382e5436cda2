-- Never dates a transfer before the last booked transfer. Otherwise, after a failover to a server whose clock is behind, an entry could be
-- added to a closed day. If the last booked transfer is dated more than an hour later than the new one, its date is ignored, so that one wrong
-- clock does not affect all later dates.
CREATE OR REPLACE FUNCTION date_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  latest timestamptz := (SELECT created_at FROM transfers WHERE id = (SELECT transfer_id FROM entries ORDER BY id DESC LIMIT 1));
BEGIN
  IF latest > NEW.created_at AND latest <= NEW.created_at + interval '1 hour' THEN
    NEW.created_at := latest;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER transfers_are_dated BEFORE INSERT ON transfers FOR EACH ROW EXECUTE FUNCTION date_transfer();
