-- Takes an idempotency key in the transaction of its effect. Answers null when the key is new (or none was sent): the
-- caller goes on and writes the effect under p_resource_id. Answers the earlier resource when the same request was
-- done before. Two at the same instant: the second waits here for the first's commit or rollback.
-- TG030: the key was used for a request with other fields.
CREATE OR REPLACE FUNCTION claim_idempotency_key(p_merchant_id uuid, p_mode mode, p_operation text, p_key text, p_request_hash bytea, p_resource_id text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  earlier idempotency_keys;
BEGIN
  IF p_key IS NULL THEN
    RETURN NULL;
  END IF;
  -- A key that is pruned between the two statements is new; the second round takes it.
  FOR round IN 1..2 LOOP
    INSERT INTO idempotency_keys (merchant_id, mode, operation, key, request_hash, resource_id)
      VALUES (p_merchant_id, p_mode, p_operation, p_key, p_request_hash, p_resource_id)
      ON CONFLICT (merchant_id, mode, operation, key) DO NOTHING;
    IF FOUND THEN
      RETURN NULL;
    END IF;
    SELECT * INTO earlier FROM idempotency_keys
      WHERE merchant_id = p_merchant_id AND mode = p_mode AND operation = p_operation AND key = p_key;
    EXIT WHEN FOUND;
  END LOOP;
  IF earlier.key IS NULL THEN
    RAISE EXCEPTION 'idempotency key % keeps vanishing', p_key USING ERRCODE = 'serialization_failure';
  END IF;
  IF earlier.request_hash <> p_request_hash THEN
    RAISE EXCEPTION 'idempotency key reused with other fields' USING ERRCODE = 'TG030';
  END IF;
  RETURN earlier.resource_id;
END $$;
