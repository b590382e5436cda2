-- Ledger rules 1 and 5: entries of a transfer sum to zero per currency, and a wallet's balance moves only with entries. All entries of a
-- transfer are inserted in one statement (TG091). Balances are updated in the same statement, under the row locks that the caller holds.
-- An entry has the mode of its transfer, and the mode and currency of its account (foreign_key_violation). This replaces foreign keys, which
-- would look up each entry separately. It is sufficient, because transfers and accounts are never deleted and their mode and currency are
-- immutable. The settings, with those of begin_write, force index lookups.
CREATE OR REPLACE FUNCTION book_entries() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  unbalanced record;
  unknown record;
BEGIN
  SELECT transfer_id, currency, sum(amount) AS difference INTO unbalanced
    FROM booked GROUP BY transfer_id, currency HAVING sum(amount) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'entries of transfer % sum to % minor units in %, not to zero', unbalanced.transfer_id, unbalanced.difference, unbalanced.currency
      USING ERRCODE = 'TG091';
  END IF;
  IF EXISTS (SELECT FROM booked b GROUP BY b.transfer_id
             HAVING count(*) <> (SELECT count(*) FROM entries e WHERE e.transfer_id = b.transfer_id)) THEN
    RAISE EXCEPTION 'all entries of a transfer must be inserted in one statement' USING ERRCODE = 'TG091';
  END IF;
  -- Joined by ID alone: without statistics, an index that begins with the mode would look equally selective.
  SELECT b.transfer_id, b.account_id INTO unknown FROM booked b
    LEFT JOIN transfers t ON t.id = b.transfer_id LEFT JOIN accounts a ON a.id = b.account_id
    WHERE (t.mode, a.mode, a.currency) IS DISTINCT FROM (b.mode, b.mode, b.currency) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'an entry of transfer % does not match the mode of its transfer, or the mode and currency of account %',
      unknown.transfer_id, unknown.account_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  UPDATE accounts SET balance = balance + moved.amount
    FROM (SELECT account_id, sum(amount) AS amount FROM booked GROUP BY account_id) AS moved
    WHERE accounts.id = moved.account_id AND accounts.balance IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER entries_are_booked AFTER INSERT ON entries REFERENCING NEW TABLE AS booked
  FOR EACH STATEMENT EXECUTE FUNCTION book_entries();
