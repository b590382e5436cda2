-- Books one transfer of any number of lines. Wallets are locked in the order of their ids before their balance is looked
-- at; house accounts have no balance and no lock. Lines of zero are left out.
-- TG022: a wallet is closed; TG020: a wallet holds less than it pays. A closed wallet is told first: waiting does not help.
CREATE TYPE transfer_line AS (account_id uuid, currency text, amount bigint);

CREATE FUNCTION book_transfer(p_transfer_id uuid, p_mode mode, p_kind transfer_kind, p_external_reference text, p_lines transfer_line[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wallet record;
  short_wallet uuid;
  short_of bigint;
BEGIN
  FOR wallet IN
    SELECT a.id, a.balance, a.closed_at, (SELECT sum(l.amount) FROM unnest(p_lines) l WHERE l.account_id = a.id) AS moved
    FROM accounts a WHERE a.id IN (SELECT account_id FROM unnest(p_lines)) AND a.balance IS NOT NULL
    ORDER BY a.id FOR NO KEY UPDATE OF a
  LOOP
    IF wallet.closed_at IS NOT NULL THEN
      RAISE EXCEPTION 'wallet % is closed', wallet.id USING ERRCODE = 'TG022';
    END IF;
    IF wallet.balance + wallet.moved < 0 THEN
      short_wallet := wallet.id;
      short_of := -wallet.moved;
    END IF;
  END LOOP;
  IF short_wallet IS NOT NULL THEN
    RAISE EXCEPTION 'wallet % holds less than %', short_wallet, short_of USING ERRCODE = 'TG020';
  END IF;
  INSERT INTO transfers (id, mode, kind, external_reference) VALUES (p_transfer_id, p_mode, p_kind, p_external_reference);
  INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
    SELECT p_transfer_id, l.account_id, p_mode, l.currency, l.amount FROM unnest(p_lines) l WHERE l.amount <> 0;
END $$;

-- Books one amount from one account to another of the same currency.
CREATE OR REPLACE FUNCTION move_between_wallets(
  p_transfer_id uuid, p_mode mode, p_kind transfer_kind, p_currency text, p_from uuid, p_to uuid, p_amount bigint, p_external_reference text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_amount <= 0 OR p_from = p_to THEN
    RAISE EXCEPTION 'a transfer moves a positive amount to another account, not %', p_amount USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM book_transfer(p_transfer_id, p_mode, p_kind, p_external_reference,
    ARRAY[(p_from, p_currency, -p_amount)::transfer_line, (p_to, p_currency, p_amount)::transfer_line]);
END $$;

-- The account of a merchant (wallet or hold) or, without one, of the house.
CREATE FUNCTION account_of(p_mode mode, p_currency text, p_kind account_kind, p_merchant_id uuid DEFAULT NULL) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
DECLARE
  found_id uuid;
BEGIN
  IF p_merchant_id IS NULL THEN
    SELECT id INTO STRICT found_id FROM accounts
      WHERE mode = p_mode AND currency = p_currency AND kind = p_kind AND merchant_id IS NULL AND wallet_user_id IS NULL;
  ELSE
    SELECT id INTO STRICT found_id FROM accounts
      WHERE mode = p_mode AND currency = p_currency AND kind = p_kind AND merchant_id = p_merchant_id;
  END IF;
  RETURN found_id;
END $$;

-- Merchants hold money in every currency of theirs: a wallet comes with its hold account.
CREATE FUNCTION open_hold_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance)
    VALUES (gen_random_uuid(), NEW.mode, NEW.currency, 'hold', NEW.merchant_id, 0) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER wallets_come_with_a_hold AFTER INSERT ON accounts FOR EACH ROW WHEN (NEW.kind = 'merchant') EXECUTE FUNCTION open_hold_account();

INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance)
  SELECT gen_random_uuid(), mode, currency, 'hold', merchant_id, 0 FROM accounts WHERE kind = 'merchant' ON CONFLICT DO NOTHING;
