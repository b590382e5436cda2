-- Holds a leased delivery of a paused receiver. Returns false if the receiver was resumed or the delivery left the queue in the meantime.
-- FOR SHARE makes a concurrent resume wait for this commit, and then find the delivery.
CREATE OR REPLACE FUNCTION hold_delivery(p_delivery uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM receivers r JOIN deliveries d ON d.receiver_id = r.id
    WHERE d.id = p_delivery AND r.paused_at IS NOT NULL FOR SHARE OF r;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE deliveries SET status = 'held', leased_by = NULL, leased_at = NULL, leased_until = NULL, leased_as = NULL, leased_host = NULL
    WHERE id = p_delivery AND status = 'queued';
  RETURN FOUND;
END $$;
