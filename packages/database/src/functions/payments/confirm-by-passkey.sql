-- Verifies and stores the passkey confirmations of pay_orders, which holds the order locks. Each challenge is used once, before it expires,
-- for exactly its order, wallet and quote, by an unrevoked passkey of the wallet's owner whose counter has not changed since the signature
-- was verified. Elements without a confirmation are skipped. TG054: a confirmation is invalid; TG080 as in reject_items.
CREATE OR REPLACE FUNCTION confirm_by_passkey(
  p_order_id text[], p_mode mode[], p_payer_account_id uuid[], p_quote_id uuid[], p_confirmation jsonb[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  confirmed text[];
BEGIN
  PERFORM FROM wallet_passkeys WHERE id IN (SELECT (c ->> 'passkey_id')::uuid FROM unnest(p_confirmation) AS c) ORDER BY id FOR NO KEY UPDATE;
  WITH taken AS (
    UPDATE payment_challenges h SET used_at = clock_timestamp()
    FROM unnest(p_order_id, p_mode, p_payer_account_id, p_quote_id, p_confirmation) AS item (order_id, mode, payer_account_id, quote_id, c)
    WHERE h.id = (item.c ->> 'challenge_id')::uuid AND h.order_id = item.order_id AND h.mode = item.mode
      AND h.quote_id IS NOT DISTINCT FROM item.quote_id
      AND h.account_id = coalesce(item.payer_account_id, (SELECT account_id FROM shopper_quotes WHERE id = item.quote_id))
      AND h.wallet_user_id = (SELECT wallet_user_id FROM accounts WHERE id = h.account_id)
      AND h.used_at IS NULL AND h.expires_at > clock_timestamp()
    RETURNING h.order_id, h.mode, h.wallet_user_id, h.text, item.c
  ), counted AS (
    UPDATE wallet_passkeys k SET counter = (taken.c ->> 'new_counter')::bigint, last_used_at = clock_timestamp()
    FROM taken
    WHERE k.id = (taken.c ->> 'passkey_id')::uuid AND k.wallet_user_id = taken.wallet_user_id AND k.mode = taken.mode
      AND k.revoked_at IS NULL AND k.counter = (taken.c ->> 'counter')::bigint
    RETURNING taken.order_id, k.mode, k.id, k.credential_id, k.public_key, taken.text, taken.c
  ), kept AS (
    INSERT INTO payment_confirmations (order_id, mode, passkey_id, credential_id, public_key, origin, text, client_data, authenticator_data, signature)
    SELECT order_id, mode, id, credential_id, public_key, c ->> 'origin', text, decode(c ->> 'client_data', 'base64'),
      decode(c ->> 'authenticator_data', 'base64'), decode(c ->> 'signature', 'base64') FROM counted
    RETURNING order_id
  ) SELECT array_agg(order_id) INTO confirmed FROM kept;
  PERFORM reject_items(ARRAY(SELECT order_id FROM unnest(p_order_id, p_confirmation) AS item (order_id, c)
      WHERE c IS NOT NULL AND (order_id = ANY (confirmed)) IS NOT TRUE),
    cardinality(p_order_id), 'TG054', 'the confirmation by passkey cannot be used');
END $$;
