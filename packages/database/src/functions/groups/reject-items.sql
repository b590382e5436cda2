-- Rejects items of a group; does nothing for an empty list. A single item raises its own error (p_code). A group raises TG080 and lists the
-- rejected IDs in its detail, one per line. The caller then retries the rejected items one by one through the same function.
CREATE OR REPLACE FUNCTION reject_items(p_rejected text[], p_size int, p_code text, p_reason text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(cardinality(p_rejected), 0) = 0 THEN
    RETURN;
  END IF;
  IF p_size = 1 THEN
    RAISE EXCEPTION '%', p_reason USING ERRCODE = p_code;
  END IF;
  RAISE EXCEPTION 'rejected % of % items: %', cardinality(p_rejected), p_size, p_reason
    USING ERRCODE = 'TG080', DETAIL = array_to_string(p_rejected, E'\n');
END $$;
