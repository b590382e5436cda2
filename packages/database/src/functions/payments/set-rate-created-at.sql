-- Sets the creation time of a rate from the database's clock. A backdated rate would invalidate payments that were priced without it.
CREATE OR REPLACE FUNCTION set_rate_created_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := clock_timestamp();
  RETURN NEW;
END $$;

CREATE TRIGGER exchange_rates_are_dated BEFORE INSERT ON exchange_rates FOR EACH ROW EXECUTE FUNCTION set_rate_created_at();
