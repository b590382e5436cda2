-- The queue and lane of a delivery. An endpoint has one queue with one lane. An order's own callback_url has a queue for
-- each host of the merchant and mode, and there a lane for each path, so that a hanging path holds up no other. Hashed,
-- since an address may be longer than an index takes.
CREATE OR REPLACE FUNCTION choose_delivery_queue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT e.merchant_id INTO NEW.merchant_id FROM events e WHERE e.id = NEW.event_id;
  IF NEW.receiver_id IS NOT NULL THEN
    NEW.queue_id := NEW.receiver_id;
    NEW.lane_id := NEW.receiver_id;
  ELSE
    NEW.queue_id := md5(concat_ws(' ', NEW.merchant_id, NEW.mode, host_of_address(NEW.address)))::uuid;
    NEW.lane_id := md5(concat_ws(' ', NEW.queue_id, substring(NEW.address FROM '^[^?#]*')))::uuid;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER deliveries_choose_their_queue BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION choose_delivery_queue();
