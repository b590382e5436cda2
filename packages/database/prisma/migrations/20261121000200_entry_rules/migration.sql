-- Ledger rules 1, 2, 3 and 5: entries of a transfer sum to zero per currency, are never changed nor added to, a
-- correction names an earlier transfer, and a wallet's stored balance moves only with entries. Rule 10 (one mode per
-- transfer) is held by the foreign keys (id, mode).

ALTER TABLE entries ADD CONSTRAINT entries_move_something CHECK (amount <> 0);
ALTER TABLE transfers ADD CONSTRAINT transfers_correct_another CHECK (corrects <> id);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: a correction is a new transfer', TG_OP, TG_TABLE_NAME USING ERRCODE = 'TG090';
END $$;

CREATE TRIGGER transfers_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entries_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER accounts_are_kept BEFORE DELETE OR TRUNCATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- All entries of a transfer arrive in one statement, so the statement can be checked as a whole, and nothing is added
-- to a transfer afterwards. The balances of wallets follow in the same statement; whoever books holds their row locks
-- already, in the order of their ids.
CREATE FUNCTION book_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unbalanced record;
BEGIN
  SELECT transfer_id, currency, sum(amount) AS difference INTO unbalanced
    FROM booked GROUP BY transfer_id, currency HAVING sum(amount) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'entries of transfer % sum to % in %', unbalanced.transfer_id, unbalanced.difference, unbalanced.currency
      USING ERRCODE = 'TG091';
  END IF;
  IF EXISTS (SELECT FROM booked b GROUP BY b.transfer_id
             HAVING count(*) <> (SELECT count(*) FROM entries e WHERE e.transfer_id = b.transfer_id)) THEN
    RAISE EXCEPTION 'a transfer gets all its entries in one statement' USING ERRCODE = 'TG091';
  END IF;
  UPDATE accounts SET balance = balance + moved.amount
    FROM (SELECT account_id, sum(amount) AS amount FROM booked GROUP BY account_id) AS moved
    WHERE accounts.id = moved.account_id AND accounts.balance IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER entries_are_booked AFTER INSERT ON entries REFERENCING NEW TABLE AS booked
  FOR EACH STATEMENT EXECUTE FUNCTION book_entries();

-- A transfer is committed with its entries. So whoever else sees it sees that it has them, and the check above is exact.
CREATE FUNCTION require_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM entries WHERE transfer_id = NEW.id) THEN
    RAISE EXCEPTION 'transfer % has no entries', NEW.id USING ERRCODE = 'TG091';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER transfers_have_entries AFTER INSERT ON transfers DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_entries();

-- Outside of the trigger above (which runs one level deeper) nobody writes a balance, an owner, a currency or a mode.
CREATE FUNCTION guard_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.balance <> 0 THEN
      RAISE EXCEPTION 'an account starts empty' USING ERRCODE = 'TG092';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.balance IS DISTINCT FROM OLD.balance AND pg_trigger_depth() = 1 THEN
    RAISE EXCEPTION 'a balance moves only with entries' USING ERRCODE = 'TG092';
  END IF;
  IF OLD.closed_at IS NOT NULL AND NEW.balance IS DISTINCT FROM OLD.balance THEN
    RAISE EXCEPTION 'account % is closed', OLD.id USING ERRCODE = 'TG093';
  END IF;
  IF (NEW.id, NEW.mode, NEW.currency, NEW.kind, NEW.merchant_id, NEW.wallet_user_id)
     IS DISTINCT FROM (OLD.id, OLD.mode, OLD.currency, OLD.kind, OLD.merchant_id, OLD.wallet_user_id) THEN
    RAISE EXCEPTION 'an account keeps its owner, kind, currency and mode' USING ERRCODE = 'TG092';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER accounts_are_guarded BEFORE INSERT OR UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION guard_account();
