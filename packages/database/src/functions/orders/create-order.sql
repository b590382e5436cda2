-- Writes a new order, or finds the one that the same idempotency key made. Keys are separate per operation: an order and a
-- payment may have the same. The caller has decided everything that cannot race; this call checks again that the merchant's
-- wallet in the currency is open and the currency active. Answers the order and whether it was a repeat. TG030: key reused;
-- TG023: no open wallet in this currency; TG025: the currency is inactive.
CREATE OR REPLACE FUNCTION create_order(
  p_id text, p_token text, p_merchant_id uuid, p_mode mode, p_credential_id uuid, p_amount bigint, p_currency text,
  p_payment_method payment_method, p_reference text, p_description text, p_terminal_id text, p_order_number text, p_custom text,
  p_callback_url text, p_return_url text, p_cancel_url text, p_expires_in_seconds int, p_operation text, p_idempotency_key text, p_request_hash bytea,
  p_metadata text DEFAULT NULL, p_locale text DEFAULT NULL,
  OUT replayed boolean, OUT result orders)
LANGUAGE plpgsql AS $$
DECLARE
  earlier_id text := claim_idempotency_key(p_merchant_id, p_mode, p_operation, p_idempotency_key, p_request_hash, p_id);
  started timestamptz := clock_timestamp();
BEGIN
  replayed := earlier_id IS NOT NULL;
  IF replayed THEN
    SELECT * INTO STRICT result FROM orders WHERE id = earlier_id AND mode = p_mode;
    RETURN;
  END IF;
  IF NOT EXISTS (SELECT FROM accounts WHERE merchant_id = p_merchant_id AND mode = p_mode AND currency = p_currency
                 AND kind = 'merchant' AND closed_at IS NULL) THEN
    RAISE EXCEPTION 'no open wallet in %', p_currency USING ERRCODE = 'TG023';
  END IF;
  IF NOT EXISTS (SELECT FROM currencies WHERE code = p_currency AND active) THEN
    RAISE EXCEPTION 'currency % is inactive', p_currency USING ERRCODE = 'TG025';
  END IF;
  INSERT INTO orders (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, reference, description,
                      terminal_id, order_number, custom, callback_url, return_url, cancel_url, created_at, expires_at, metadata, locale)
  VALUES (p_id, p_token, p_mode, p_merchant_id, p_credential_id, p_amount, p_currency, p_payment_method, p_reference, p_description,
          p_terminal_id, p_order_number, p_custom, p_callback_url, p_return_url, p_cancel_url, started,
          started + make_interval(secs => p_expires_in_seconds), p_metadata, p_locale)
  RETURNING * INTO result;
END $$;
