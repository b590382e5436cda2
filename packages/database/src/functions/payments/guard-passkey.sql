-- A passkey's owner and key (the columns in the trigger's arguments) are immutable. Its counter never decreases, and a revoked passkey
-- never changes (TG092).
CREATE OR REPLACE FUNCTION guard_passkey() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := to_jsonb(OLD);
  after jsonb := to_jsonb(NEW);
BEGIN
  IF NEW.counter < OLD.counter OR EXISTS (SELECT FROM unnest(TG_ARGV) AS kept WHERE after -> kept IS DISTINCT FROM before -> kept)
     OR before ->> 'revoked_at' IS NOT NULL THEN
    RAISE EXCEPTION 'passkey %: the key is immutable, the counter cannot decrease, and revocation is final', OLD.id USING ERRCODE = 'TG092';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER wallet_passkeys_are_guarded BEFORE UPDATE ON wallet_passkeys FOR EACH ROW
  EXECUTE FUNCTION guard_passkey('id', 'mode', 'wallet_user_id', 'credential_id', 'public_key', 'created_at');
CREATE TRIGGER console_passkeys_are_guarded BEFORE UPDATE ON console_passkeys FOR EACH ROW
  EXECUTE FUNCTION guard_passkey('id', 'user_id', 'credential_id', 'public_key', 'created_at');
