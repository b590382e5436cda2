-- An event gets one delivery for each of its receivers: its order's own callback_url, signed with the key of the credential
-- that made the order, and every endpoint of the merchant that chose this event. A disabled or removed endpoint gets no
-- more deliveries. The worker checks later whether an endpoint is paused, so that no payment waits for a receiver's row.
CREATE OR REPLACE FUNCTION write_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deliveries (mode, event_id, credential_id, address)
    SELECT NEW.mode, NEW.id, o.credential_id, o.callback_url FROM orders o
    WHERE o.id = NEW.order_id AND o.callback_url IS NOT NULL;
  INSERT INTO deliveries (mode, event_id, receiver_id, address)
    SELECT NEW.mode, NEW.id, r.id, r.address FROM receivers r
    WHERE r.merchant_id = NEW.merchant_id AND r.mode = NEW.mode AND r.disabled_at IS NULL AND r.removed_at IS NULL
      AND NEW.name = ANY (r.events);
  RETURN NULL;
END $$;

CREATE TRIGGER events_are_delivered AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION write_deliveries();
