-- What was converted is proved by the rate that was in effect, so rates are added and never changed.
CREATE OR REPLACE FUNCTION keep_exchange_rate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: another rate is another row', TG_OP, TG_TABLE_NAME USING ERRCODE = 'TG090';
END $$;

CREATE TRIGGER exchange_rates_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON exchange_rates
  FOR EACH STATEMENT EXECUTE FUNCTION keep_exchange_rate();
