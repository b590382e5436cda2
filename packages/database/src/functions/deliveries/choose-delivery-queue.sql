-- Assigns the merchant, queue and lane of a delivery. An endpoint has one queue with one lane. Callback URLs have a queue per host,
-- merchant and mode, with a lane per path, so that a path that hangs does not block others. The IDs of these queues and lanes are hashes,
-- because an address can exceed the maximum size of an index entry.
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
