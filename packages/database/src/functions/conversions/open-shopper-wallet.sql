-- Returns a shopper's wallet in a currency, opening it on first use. Concurrent calls get the same wallet. A closed wallet stays closed,
-- and book_transfers rejects it.
CREATE OR REPLACE FUNCTION open_shopper_wallet(p_wallet_user_id uuid, p_mode mode, p_currency text) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  wallet accounts;
BEGIN
  INSERT INTO accounts (id, mode, currency, kind, wallet_user_id, balance)
    VALUES (gen_random_uuid(), p_mode, p_currency, 'shopper', p_wallet_user_id, 0) ON CONFLICT DO NOTHING;
  SELECT * INTO STRICT wallet FROM accounts WHERE wallet_user_id = p_wallet_user_id AND currency = p_currency AND mode = p_mode;
  RETURN wallet;
END $$;
