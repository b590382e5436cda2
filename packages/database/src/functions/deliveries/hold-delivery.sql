-- Holds a leased delivery whose receiver is paused; answers false when it was resumed meanwhile. FOR SHARE: a resume
-- that comes later waits for this commit, and then finds the delivery.
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
