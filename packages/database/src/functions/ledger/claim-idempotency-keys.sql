-- Claims idempotency keys in the transaction of their effects; null means no key. Returns null if all keys are new; the caller then writes
-- the effects under their resource IDs. A repeated single item returns the earlier resource's ID; in a group, repeats are rejected. A
-- concurrent call with the same key waits until the first call commits or rolls back. Keys are claimed in sorted order to avoid deadlocks.
-- TG030: the key was used for a request with other fields; TG080 as in reject_items; serialization_failure if keys are repeatedly pruned in
-- the meantime.
CREATE OR REPLACE FUNCTION claim_idempotency_keys(
  p_merchant_id uuid[], p_mode mode[], p_operation text[], p_key text[], p_request_hash bytea[], p_resource_id text[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  size int := cardinality(p_resource_id);
  wanted int := size - cardinality(array_positions(p_key, NULL));
  known int;
  repeated text[];
  earlier_id text;
  same_request boolean;
BEGIN
  IF wanted = 0 THEN
    RETURN NULL;
  END IF;
  -- A key that is pruned between the two statements is new, and the second iteration claims it.
  FOR round IN 1..2 LOOP
    INSERT INTO idempotency_keys (merchant_id, mode, operation, key, request_hash, resource_id)
      SELECT * FROM unnest(p_merchant_id, p_mode, p_operation, p_key, p_request_hash, p_resource_id) AS claims (merchant_id, mode, operation, key, request_hash, resource_id)
      WHERE key IS NOT NULL ORDER BY merchant_id, mode, operation, key
      ON CONFLICT (merchant_id, mode, operation, key) DO NOTHING;
    GET DIAGNOSTICS known = ROW_COUNT;
    IF known = wanted THEN
      RETURN NULL;
    END IF;
    SELECT count(*), array_agg(c.resource_id) FILTER (WHERE k.resource_id <> c.resource_id),
        min(k.resource_id), bool_and(k.request_hash = c.request_hash)
      INTO known, repeated, earlier_id, same_request
      FROM unnest(p_merchant_id, p_mode, p_operation, p_key, p_request_hash, p_resource_id) AS c (merchant_id, mode, operation, key, request_hash, resource_id)
      JOIN idempotency_keys k USING (merchant_id, mode, operation, key);
    EXIT WHEN known = wanted;
  END LOOP;
  IF known <> wanted THEN
    RAISE EXCEPTION 'an idempotency key was repeatedly deleted during the request' USING ERRCODE = 'serialization_failure';
  END IF;
  IF size > 1 OR NOT same_request THEN
    PERFORM reject_items(repeated, size, 'TG030', 'idempotency key reused with other fields');
  END IF;
  RETURN CASE WHEN repeated IS NOT NULL THEN earlier_id END;
END $$;
