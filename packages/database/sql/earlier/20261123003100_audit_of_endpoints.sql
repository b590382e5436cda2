-- The failed deliveries of an endpoint, newest first, however many were delivered.
CREATE INDEX deliveries_failed_of_receiver ON deliveries (receiver_id, created_at DESC, id DESC)
  WHERE status = 'failed' AND receiver_id IS NOT NULL;
