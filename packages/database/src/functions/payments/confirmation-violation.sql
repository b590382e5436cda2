-- Returns what is wrong with a stored payment confirmation, as the end of an error message; null if it is valid. The order must be paid from a
-- wallet of the passkey's owner, and the credential ID and public key must be those of the passkey. Confirmations are checked at commit and
-- by the ledger proof.
CREATE OR REPLACE FUNCTION confirmation_violation(c payment_confirmations) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN NOT EXISTS (
    SELECT FROM orders o JOIN accounts a ON a.id = o.payer_account_id JOIN wallet_passkeys k ON k.wallet_user_id = a.wallet_user_id
    WHERE o.id = c.order_id AND o.mode = c.mode AND o.status = 'PAID' AND k.id = c.passkey_id AND k.mode = c.mode
      AND k.credential_id = c.credential_id AND k.public_key = c.public_key) THEN 'is not signed by the payer''s passkey' END
$$;
