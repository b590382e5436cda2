-- Opens the hold account of each new merchant wallet.
CREATE OR REPLACE FUNCTION open_hold_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance)
    VALUES (gen_random_uuid(), NEW.mode, NEW.currency, 'hold', NEW.merchant_id, 0) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER wallets_come_with_a_hold AFTER INSERT ON accounts FOR EACH ROW WHEN (NEW.kind = 'merchant') EXECUTE FUNCTION open_hold_account();
