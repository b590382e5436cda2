-- Events are written by the call that makes the change: the body is made here, once, as the text that every attempt
-- sends, so that it says exactly what was committed. A test parses each kind of body with the contract's schema.

-- A time as the wire shows it: whole seconds, +00:00.
CREATE FUNCTION wire_time(p_time timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')
$$;

-- Minor units as a decimal with the currency's digits; exact, for json numbers and for formatted texts.
CREATE FUNCTION wire_amount(p_minor bigint, p_digits smallint) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT round(p_minor::numeric / power(10::numeric, p_digits), p_digits)
$$;

-- An order is paid, expired, cancelled and wholly refunded at most once.
CREATE UNIQUE INDEX events_once_per_order ON events (order_id, name) WHERE name LIKE 'pos.order.%';

CREATE TRIGGER events_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Writes an event of an order.
CREATE FUNCTION emit_event(p_order orders, p_name text, p_data json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event_id text := 'evt_' || replace(gen_random_uuid()::text, '-', '');
BEGIN
  INSERT INTO events (id, mode, merchant_id, name, order_id, body)
  VALUES (event_id, p_order.mode, p_order.merchant_id, p_name, p_order.id,
    json_build_object('id', event_id, 'event', p_name, 'timestamp', wire_time(clock_timestamp()), 'data', p_data)::text);
END $$;

-- An event comes with one delivery for each of its receivers: its order's own callback_url, signed with the key of the
-- credential that made the order, and every enabled endpoint of the merchant that chose this event.
CREATE FUNCTION write_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deliveries (mode, event_id, credential_id, address)
    SELECT NEW.mode, NEW.id, o.credential_id, o.callback_url FROM orders o
    WHERE o.id = NEW.order_id AND o.callback_url IS NOT NULL;
  INSERT INTO deliveries (mode, event_id, receiver_id, address)
    SELECT NEW.mode, NEW.id, r.id, r.address FROM receivers r
    WHERE r.merchant_id = NEW.merchant_id AND r.mode = NEW.mode AND r.disabled_at IS NULL AND NEW.name = ANY (r.events);
  RETURN NULL;
END $$;

CREATE TRIGGER events_are_delivered AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION write_deliveries();

-- A `pos.order.*` event of an order as it is now.
CREATE FUNCTION emit_order_event(p_order orders, p_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  currency_digits smallint := (SELECT digits FROM currencies WHERE code = p_order.currency);
BEGIN
  PERFORM emit_event(p_order, p_name, json_build_object(
    'order_id', p_order.id,
    'amount', wire_amount(p_order.amount, currency_digits),
    'currency', p_order.currency,
    'status', p_order.state,
    'reference', p_order.reference,
    'terminal_id', p_order.terminal_id,
    'trx_id', p_order.trx_id,
    'paid_at', wire_time(p_order.paid_at),
    'order_number', p_order.order_number,
    'custom', p_order.custom,
    'refunded_amount', wire_amount(p_order.refunded, currency_digits),
    'version', p_order.version));
END $$;

-- A `refund.*` event: the nine keys of a refund and its order.
CREATE FUNCTION emit_refund_event(p_order orders, p_refund refunds, p_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  currency_digits smallint := (SELECT digits FROM currencies WHERE code = p_order.currency);
BEGIN
  PERFORM emit_event(p_order, p_name, json_build_object(
    'refund_id', p_refund.id,
    'transaction_id', p_order.trx_id,
    'amount', wire_amount(p_refund.amount, currency_digits) || ' ' || p_refund.currency,
    'raw_amount', wire_amount(p_refund.amount, currency_digits),
    'currency', p_refund.currency,
    'status', p_refund.status,
    'reason', p_refund.reason,
    'reference', p_refund.reference,
    'created_at', wire_time(p_refund.created_at),
    'order_id', p_refund.order_id));
END $$;
