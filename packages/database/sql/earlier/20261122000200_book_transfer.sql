-- Books one transfer of any number of lines. Wallets are locked in the order of their ids before their balance is looked
-- at; house accounts have no balance and no lock. Lines of zero are left out.
-- TG022: a wallet is closed; TG020: a wallet holds less than it pays. A closed wallet is told first: waiting does not help.
CREATE TYPE transfer_line AS (account_id uuid, currency text, amount bigint);

INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance)
  SELECT gen_random_uuid(), mode, currency, 'hold', merchant_id, 0 FROM accounts WHERE kind = 'merchant' ON CONFLICT DO NOTHING;
