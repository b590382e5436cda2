-- What an account is. Wallets (merchant, shopper, hold) have an owner and a stored balance that never goes below
-- zero; house accounts (fees, fx, issuing, funding) have neither: theirs is the sum of their entries.

ALTER TABLE accounts
  ADD CONSTRAINT accounts_owner_by_kind CHECK (
    CASE kind
      WHEN 'merchant' THEN merchant_id IS NOT NULL AND wallet_user_id IS NULL
      WHEN 'hold' THEN merchant_id IS NOT NULL AND wallet_user_id IS NULL
      WHEN 'shopper' THEN merchant_id IS NULL AND wallet_user_id IS NOT NULL
      ELSE merchant_id IS NULL AND wallet_user_id IS NULL
    END),
  ADD CONSTRAINT accounts_balance_by_kind CHECK ((kind IN ('merchant', 'shopper', 'hold')) = (balance IS NOT NULL)),
  ADD CONSTRAINT accounts_never_below_zero CHECK (balance >= 0),
  ADD CONSTRAINT accounts_issuing_is_sandbox CHECK (kind <> 'issuing' OR mode = 'sandbox'),
  ADD CONSTRAINT accounts_closed_empty CHECK (closed_at IS NULL OR balance = 0);

CREATE UNIQUE INDEX accounts_one_per_merchant ON accounts (merchant_id, mode, currency, kind) WHERE merchant_id IS NOT NULL;
CREATE UNIQUE INDEX accounts_one_per_wallet_user ON accounts (wallet_user_id, currency) WHERE wallet_user_id IS NOT NULL;
CREATE UNIQUE INDEX accounts_one_per_house ON accounts (mode, currency, kind) WHERE merchant_id IS NULL AND wallet_user_id IS NULL;

ALTER TABLE wallet_users
  ADD CONSTRAINT wallet_users_reachable CHECK (test_of_merchant_id IS NOT NULL OR phone IS NOT NULL OR email IS NOT NULL),
  ADD CONSTRAINT wallet_users_email_lower_case CHECK (email = lower(email)),
  ADD CONSTRAINT wallet_users_phone_e164 CHECK (phone ~ '^\+[1-9][0-9]{4,14}$'),
  ADD CONSTRAINT wallet_users_test_in_sandbox CHECK (test_of_merchant_id IS NULL OR mode = 'sandbox');

ALTER TABLE credentials
  ADD CONSTRAINT credentials_client_signs CHECK ((kind = 'client') = (client_id IS NOT NULL AND secret_ciphertext IS NOT NULL AND encryption_key_id IS NOT NULL));

ALTER TABLE currencies ADD CONSTRAINT currencies_digits CHECK (digits BETWEEN 0 AND 4);

-- Amounts are whole minor units: other digits would change the worth of every booked amount.
CREATE FUNCTION guard_currency() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM accounts WHERE currency = OLD.code) THEN
    RAISE EXCEPTION 'currency % has accounts and keeps its digits', OLD.code USING ERRCODE = 'TG092';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER currencies_are_guarded BEFORE UPDATE ON currencies FOR EACH ROW
  WHEN (OLD.digits <> NEW.digits) EXECUTE FUNCTION guard_currency();

ALTER TABLE console_users
  ADD CONSTRAINT console_users_merchant_by_role CHECK ((role = 'merchant') = (merchant_id IS NOT NULL)),
  ADD CONSTRAINT console_users_email_lower_case CHECK (email = lower(email));
