-- Writes an event of an order. Events are written by the call that makes the change: the body is made here, once, as the text
-- that every attempt sends, so that it says exactly what was committed. A test parses each kind of body with the contract's
-- schema.
CREATE OR REPLACE FUNCTION emit_event(p_order orders, p_name text, p_data json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event_id text := 'evt_' || replace(gen_random_uuid()::text, '-', '');
BEGIN
  INSERT INTO events (id, mode, merchant_id, name, order_id, body)
  VALUES (event_id, p_order.mode, p_order.merchant_id, p_name, p_order.id,
    json_build_object('id', event_id, 'event', p_name, 'timestamp', wire_time(clock_timestamp()), 'data', p_data)::text);
END $$;
