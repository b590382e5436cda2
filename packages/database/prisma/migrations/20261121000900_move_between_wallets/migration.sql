-- Books `p_amount` minor units from one account to another of the same currency and mode, as one transfer. Wallets are
-- locked in the order of their ids before their balance is looked at; house accounts have no balance and no lock.
-- TG022: a wallet is closed; TG020: the paying wallet holds less. A closed wallet is told first: waiting does not help.
CREATE FUNCTION move_between_wallets(
  p_transfer_id uuid, p_mode mode, p_kind transfer_kind, p_currency text, p_from uuid, p_to uuid, p_amount bigint, p_external_reference text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wallet record;
  available bigint;
BEGIN
  IF p_amount <= 0 OR p_from = p_to THEN
    RAISE EXCEPTION 'a transfer moves a positive amount to another account, not %', p_amount USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR wallet IN
    SELECT id, balance, closed_at FROM accounts WHERE id IN (p_from, p_to) AND balance IS NOT NULL ORDER BY id FOR NO KEY UPDATE
  LOOP
    IF wallet.closed_at IS NOT NULL THEN
      RAISE EXCEPTION 'wallet % is closed', wallet.id USING ERRCODE = 'TG022';
    END IF;
    IF wallet.id = p_from THEN
      available := wallet.balance;
    END IF;
  END LOOP;
  IF available < p_amount THEN
    RAISE EXCEPTION 'wallet % holds less than %', p_from, p_amount USING ERRCODE = 'TG020';
  END IF;
  INSERT INTO transfers (id, mode, kind, external_reference) VALUES (p_transfer_id, p_mode, p_kind, p_external_reference);
  INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
    VALUES (p_transfer_id, p_from, p_mode, p_currency, -p_amount), (p_transfer_id, p_to, p_mode, p_currency, p_amount);
END $$;
