-- Builds the body of every event from the current order, refund, payout or wallet, so that no writer can send contradictory data. All
-- delivery attempts of an event send the same body. TG096: the event does not match the current state.
-- Also sets the event's turn, by which its merchant's events are ordered. It is the transaction ID, which tells readers whether an event
-- can still be committed before it. It is raised to the floor and to the turn of the order's earlier events, because a transaction may get
-- its ID and then wait for the order's lock. Events of one order are written under its lock, so earlier ones are visible; `number`, which
-- orders events of the same turn, is assigned under the lock too. The same holds for the reports of one wallet, under its cursor's lock.
-- An event reads all it needs in one statement, because the number of statements determines its cost.
CREATE OR REPLACE FUNCTION write_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  subject record;
  o orders;
  r refunds;
  p payouts;
  a accounts;
  told json;
BEGIN
  IF NEW.payout_id IS NOT NULL THEN
    SELECT stored AS payout, sender.digits AS sender_digits, receiver.digits AS receiver_digits, f.turn AS floor, NULL::bigint AS earlier_turn INTO subject
      FROM payouts stored JOIN currencies sender ON sender.code = stored.sender_currency JOIN currencies receiver ON receiver.code = stored.receiver_currency
      CROSS JOIN event_floor f
      WHERE stored.id = NEW.payout_id AND (stored.merchant_id, stored.mode) IS NOT DISTINCT FROM (NEW.merchant_id, NEW.mode);
    p := subject.payout;
    IF p.id IS NULL OR p.status = 'pending' OR NEW.name <> 'payout.' || p.status THEN
      RAISE EXCEPTION 'payout % does not match event %', NEW.payout_id, NEW.name USING ERRCODE = 'TG096';
    END IF;
    NEW.body := payout_event_body(p, NEW.id, subject.sender_digits, subject.receiver_digits);
  ELSIF NEW.account_id IS NOT NULL THEN
    SELECT stored AS wallet, f.turn AS floor, (SELECT turn FROM events WHERE account_id = stored.id ORDER BY report_date DESC LIMIT 1) AS earlier_turn INTO subject
      FROM accounts stored CROSS JOIN event_floor f WHERE stored.id = NEW.account_id AND (stored.merchant_id, stored.mode) IS NOT DISTINCT FROM (NEW.merchant_id, NEW.mode);
    a := subject.wallet;
    IF a.id IS NULL OR NOT report_is_ready(a.id, NEW.report_date) THEN
      RAISE EXCEPTION 'wallet % has no report of %', NEW.account_id, NEW.report_date USING ERRCODE = 'TG096';
    END IF;
    told := report_event_data(a, NEW.report_date);
  ELSE
    SELECT stored AS settled, refund AS part, c.digits, f.turn AS floor, (SELECT max(turn) FROM events WHERE order_id = stored.id) AS earlier_turn INTO subject
      FROM orders stored JOIN currencies c ON c.code = stored.currency CROSS JOIN event_floor f
      LEFT JOIN refunds refund ON refund.id = NEW.refund_id AND refund.order_id = stored.id
      WHERE stored.id = NEW.order_id AND (stored.merchant_id, stored.mode) IS NOT DISTINCT FROM (NEW.merchant_id, NEW.mode);
    o := subject.settled;
    r := subject.part;
    IF NEW.refund_id IS NOT NULL THEN
      IF r.id IS NULL OR r.status = 'pending' OR NEW.name <> 'refund.' || r.status THEN
        RAISE EXCEPTION 'refund % does not match event %', NEW.refund_id, NEW.name USING ERRCODE = 'TG096';
      END IF;
      told := refund_event_data(o, r, subject.digits);
    ELSE
      IF o.id IS NULL OR o.status = 'PENDING'
         OR NOT (NEW.name = 'pos.order.' || lower(o.status::text) OR (NEW.name = 'pos.order.refunded' AND o.state = 'REFUNDED')) THEN
        RAISE EXCEPTION 'order % does not match event %', NEW.order_id, NEW.name USING ERRCODE = 'TG096';
      END IF;
      told := order_event_data(o, subject.digits);
    END IF;
  END IF;
  NEW.turn := greatest(pg_current_xact_id()::text::bigint, subject.floor, subject.earlier_turn);
  IF told IS NOT NULL THEN
    NEW.body := json_build_object('id', NEW.id, 'event', NEW.name, 'timestamp', wire_time(clock_timestamp()), 'data', told)::text;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER events_tell_what_is BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION write_event();
