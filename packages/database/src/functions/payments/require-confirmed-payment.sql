-- A payment confirmation is written in the transaction that pays its order and uses its challenge, with an unrevoked passkey (TG096).
CREATE OR REPLACE FUNCTION require_confirmed_payment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  violation text := confirmation_violation(NEW);
BEGIN
  IF violation IS NULL AND NOT EXISTS (
      SELECT FROM orders o JOIN payment_challenges h ON h.order_id = o.id AND h.mode = o.mode AND h.account_id = o.payer_account_id
        AND h.quote_id IS NOT DISTINCT FROM o.quote_id
      JOIN wallet_passkeys k ON k.id = NEW.passkey_id AND k.wallet_user_id = h.wallet_user_id
      WHERE o.id = NEW.order_id AND o.paid_at >= transaction_timestamp() AND h.text = NEW.text
        AND h.used_at >= transaction_timestamp() AND h.used_at <= h.expires_at AND k.revoked_at IS NULL) THEN
    violation := 'does not confirm a payment of this transaction';
  END IF;
  IF violation IS NOT NULL THEN
    RAISE EXCEPTION 'confirmation of order % %', NEW.order_id, violation USING ERRCODE = 'TG096';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER payment_confirmations_are_of_their_payment AFTER INSERT ON payment_confirmations DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_confirmed_payment();
