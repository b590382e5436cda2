-- Creates one order or a group. Each argument has one element per item. For a single item, returns the existing order if an earlier call had the
-- same operation and idempotency key. Only the wallet and the currency are checked here, because they can change concurrently. Returns each
-- order and whether it is a repeat. TG030: the key was used with other fields; TG023: no open wallet in the currency; TG025: the currency
-- is inactive; TG080 as in reject_items.
CREATE OR REPLACE FUNCTION create_orders(
  p_id text[], p_token text[], p_merchant_id uuid[], p_mode mode[], p_credential_id uuid[], p_amount bigint[], p_currency text[],
  p_payment_method payment_method[], p_reference text[], p_description text[], p_terminal_id text[], p_order_number text[], p_custom text[],
  p_callback_url text[], p_return_url text[], p_cancel_url text[], p_expires_in_seconds int[], p_operation text[], p_idempotency_key text[],
  p_request_hash bytea[], p_metadata text[], p_locale text[], p_request_id text[], p_traceparent text[])
RETURNS TABLE (replayed boolean, result orders) LANGUAGE plpgsql AS $$
DECLARE
  size int := cardinality(p_id);
  started timestamptz;
  earlier_id text;
  rejected text[];
  reject_code text;
BEGIN
  PERFORM begin_write(size);
  earlier_id := claim_idempotency_keys(p_merchant_id, p_mode, p_operation, p_idempotency_key, p_request_hash, p_id);
  IF earlier_id IS NOT NULL THEN
    RETURN QUERY SELECT true, o FROM orders o WHERE o.id = earlier_id;
    RETURN;
  END IF;
  started := clock_timestamp();
  SELECT array_agg(item.id), min(CASE WHEN a.id IS NULL THEN 'TG023' ELSE 'TG025' END) INTO rejected, reject_code
    FROM unnest(p_id, p_merchant_id, p_mode, p_currency) AS item (id, merchant_id, mode, currency)
    LEFT JOIN accounts a ON a.merchant_id = item.merchant_id AND a.mode = item.mode AND a.currency = item.currency
      AND a.kind = 'merchant' AND a.closed_at IS NULL
    LEFT JOIN currencies c ON c.code = item.currency AND c.active
    WHERE a.id IS NULL OR c.code IS NULL;
  PERFORM reject_items(rejected, size, reject_code, 'no open wallet in the currency, or it is inactive');
  RETURN QUERY
    INSERT INTO orders AS o (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, reference, description,
                             terminal_id, order_number, custom, callback_url, return_url, cancel_url, created_at, expires_at, metadata, locale, create_request_id, traceparent)
    SELECT item.id, item.token, item.mode, item.merchant_id, item.credential_id, item.amount, item.currency, item.payment_method, item.reference,
           item.description, item.terminal_id, item.order_number, item.custom, item.callback_url, item.return_url, item.cancel_url, started,
           started + make_interval(secs => item.expires_in_seconds), item.metadata, item.locale, item.request_id, item.traceparent
    FROM unnest(p_id, p_token, p_mode, p_merchant_id, p_credential_id, p_amount, p_currency, p_payment_method, p_reference, p_description,
                p_terminal_id, p_order_number, p_custom, p_callback_url, p_return_url, p_cancel_url, p_expires_in_seconds, p_metadata, p_locale, p_request_id, p_traceparent)
      AS item (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, reference, description,
                terminal_id, order_number, custom, callback_url, return_url, cancel_url, expires_in_seconds, metadata, locale, request_id, traceparent)
    RETURNING false, o;
END $$;
