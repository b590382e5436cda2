-- An endpoint gets an event by one delivery: what it missed can be sent afterwards by any number of callers at once, and
-- nothing twice.
CREATE UNIQUE INDEX deliveries_one_an_endpoint ON deliveries (receiver_id, event_id) WHERE receiver_id IS NOT NULL;
