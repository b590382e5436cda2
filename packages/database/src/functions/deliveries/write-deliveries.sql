-- Creates the deliveries of new events: one for the order's callback_url, signed with the key of the order's credential, and one per
-- subscribed endpoint that is not disabled or removed. The worker checks for paused endpoints later, so that no payment waits for a
-- receiver's row. LATERAL with LIMIT forces index lookups.
CREATE OR REPLACE FUNCTION write_deliveries() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO deliveries (mode, event_id, credential_id, receiver_id, address)
    SELECT e.mode, e.id, o.credential_id, NULL, o.callback_url
      FROM written e CROSS JOIN LATERAL (SELECT credential_id, callback_url FROM orders WHERE id = e.order_id LIMIT 1) o
      WHERE o.callback_url IS NOT NULL
    UNION ALL SELECT e.mode, e.id, NULL, r.id, r.address FROM written e JOIN receivers r ON r.merchant_id = e.merchant_id AND r.mode = e.mode
      WHERE r.disabled_at IS NULL AND r.removed_at IS NULL AND e.name = ANY (r.events);
  RETURN NULL;
END $$;

CREATE TRIGGER events_are_delivered AFTER INSERT ON events REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION write_deliveries();
