-- A rate needs an audit record in its transaction (TG098): `rate.set` for a single rate, `rate.import` for an import, whose digest is checked
-- only with its last rate. The transaction must commit within a minute (TG094), since payments that cannot see the rate yet are priced
-- without it. The check reads the last records of the house's audit chain, which the transaction has locked.
CREATE OR REPLACE FUNCTION require_rate_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  latest CONSTANT interval := '1 minute';
BEGIN
  IF NEW.created_at < clock_timestamp() - latest THEN
    RAISE EXCEPTION 'rate % was committed more than a minute after its creation', NEW.id USING ERRCODE = 'TG094';
  END IF;
  PERFORM FROM audit_records a
    WHERE a.merchant_id IS NULL AND a.created_at >= transaction_timestamp() AND CASE a.action
      WHEN 'rate.import' THEN a.details::json ->> 'mode' = NEW.mode::text AND (
        EXISTS (SELECT FROM exchange_rates e WHERE e.created_at > NEW.created_at AND e.mode = NEW.mode AND e.xmin = pg_current_xact_id()::xid)
        OR a.details::json ->> 'rates_sha256' = digest_of_rates(NEW.mode))
      WHEN 'rate.set' THEN a.subject = NEW.base || '/' || NEW.quote AND a.details::json ->> 'mode' = NEW.mode::text
        AND (a.details::json ->> 'rate')::numeric = NEW.rate AND (a.details::json ->> 'spread_percent')::numeric = NEW.spread_percent
        AND (a.details::json ->> 'effective_from')::timestamptz = NEW.effective_from END
    ORDER BY a.number DESC LIMIT 1;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'rate % has no audit record', NEW.id USING ERRCODE = 'TG098';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER exchange_rates_are_recorded AFTER INSERT ON exchange_rates DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_rate_record();
