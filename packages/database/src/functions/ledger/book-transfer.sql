-- Books one transfer of any number of lines. It locks wallets in the order of their ids before it reads their balance.
-- House accounts have no balance and no lock. Lines of zero are left out. TG022: a wallet is closed; TG020: a wallet holds
-- less than it pays. A closed wallet is reported first: waiting does not help.
CREATE OR REPLACE FUNCTION book_transfer(p_transfer_id uuid, p_mode mode, p_kind transfer_kind, p_external_reference text, p_lines transfer_line[])
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
