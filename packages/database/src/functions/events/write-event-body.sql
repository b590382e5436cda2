-- Builds the body of every event from the current order, refund, payout or wallet, so that no writer can send contradictory data. All
-- delivery attempts of an event send the same body. TG096: the event does not match the current state.
CREATE OR REPLACE FUNCTION write_event_body() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o orders;
  r refunds;
  p payouts;
  a accounts;
  told json;
BEGIN
  IF NEW.payout_id IS NOT NULL THEN
    SELECT * INTO p FROM payouts WHERE id = NEW.payout_id AND merchant_id = NEW.merchant_id AND mode = NEW.mode;
    IF NOT FOUND OR p.status = 'pending' OR NEW.name <> 'payout.' || p.status THEN
      RAISE EXCEPTION 'payout % does not match event %', NEW.payout_id, NEW.name USING ERRCODE = 'TG096';
    END IF;
    NEW.body := payout_event_body(p, NEW.id);
    RETURN NEW;
  END IF;
  SELECT * INTO o FROM orders WHERE id = NEW.order_id AND merchant_id = NEW.merchant_id AND mode = NEW.mode;
  IF NEW.refund_id IS NOT NULL THEN
    SELECT * INTO r FROM refunds WHERE id = NEW.refund_id AND order_id = o.id;
    IF NOT FOUND OR r.status = 'pending' OR NEW.name <> 'refund.' || r.status THEN
      RAISE EXCEPTION 'refund % does not match event %', NEW.refund_id, NEW.name USING ERRCODE = 'TG096';
    END IF;
    told := refund_event_data(o, r);
  ELSIF NEW.account_id IS NOT NULL THEN
    SELECT * INTO a FROM accounts WHERE id = NEW.account_id AND merchant_id = NEW.merchant_id AND mode = NEW.mode;
    IF NOT FOUND OR NOT report_is_ready(a.id, NEW.report_date) THEN
      RAISE EXCEPTION 'wallet % has no report of %', NEW.account_id, NEW.report_date USING ERRCODE = 'TG096';
    END IF;
    told := report_event_data(a, NEW.report_date);
  ELSE
    IF o.id IS NULL OR o.status = 'PENDING'
       OR NOT (NEW.name = 'pos.order.' || lower(o.status::text) OR (NEW.name = 'pos.order.refunded' AND o.state = 'REFUNDED')) THEN
      RAISE EXCEPTION 'order % does not match event %', NEW.order_id, NEW.name USING ERRCODE = 'TG096';
    END IF;
    told := order_event_data(o);
  END IF;
  NEW.body := json_build_object('id', NEW.id, 'event', NEW.name, 'timestamp', wire_time(clock_timestamp()), 'data', told)::text;
  RETURN NEW;
END $$;

CREATE TRIGGER events_tell_what_is BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION write_event_body();
