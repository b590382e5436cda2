-- A wallet is created empty. Its balance moves only with its entries (book_entries, which runs one trigger deeper), and never once the
-- wallet is closed (TG093). Owner, kind, currency and mode are immutable. Other violations raise TG092.
CREATE OR REPLACE FUNCTION guard_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.balance <> 0 THEN
      RAISE EXCEPTION 'a new account must have a zero balance' USING ERRCODE = 'TG092';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.balance IS DISTINCT FROM OLD.balance AND pg_trigger_depth() = 1 THEN
    RAISE EXCEPTION 'a balance can only be changed by entries' USING ERRCODE = 'TG092';
  END IF;
  IF OLD.closed_at IS NOT NULL AND NEW.balance IS DISTINCT FROM OLD.balance THEN
    RAISE EXCEPTION 'account % is closed', OLD.id USING ERRCODE = 'TG093';
  END IF;
  IF (NEW.id, NEW.mode, NEW.currency, NEW.kind, NEW.merchant_id, NEW.wallet_user_id)
     IS DISTINCT FROM (OLD.id, OLD.mode, OLD.currency, OLD.kind, OLD.merchant_id, OLD.wallet_user_id) THEN
    RAISE EXCEPTION 'owner, kind, currency and mode of an account are immutable' USING ERRCODE = 'TG092';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER accounts_are_guarded BEFORE INSERT OR UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION guard_account();
