-- Books the lines of one or more transfers. Locks wallets in the order of their IDs before reading their balances. House accounts have no
-- stored balance and are not locked. Lines with a zero amount are dropped, and the lines of several items on one wallet are summed for the
-- balance check. A line's item is the order, refund or payout to name in a rejection. TG022: a wallet is closed; TG020: insufficient balance; TG080
-- as in reject_items.
CREATE OR REPLACE FUNCTION book_transfers(p_size int, p_lines booked_line[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wallet record;
  closed uuid[];
  short uuid[];
BEGIN
  FOR wallet IN
    SELECT a.id, a.closed_at, a.balance + l.moved AS balance
    FROM (SELECT account_id, sum(amount) AS moved FROM unnest(p_lines) GROUP BY account_id) l JOIN accounts a ON a.id = l.account_id
    WHERE a.balance IS NOT NULL ORDER BY a.id FOR NO KEY UPDATE OF a
  LOOP
    IF wallet.closed_at IS NOT NULL THEN
      closed := closed || wallet.id;
    END IF;
    IF wallet.balance < 0 THEN
      short := short || wallet.id;
    END IF;
  END LOOP;
  IF closed IS NOT NULL THEN
    PERFORM reject_items(ARRAY(SELECT DISTINCT item FROM unnest(p_lines) WHERE account_id = ANY (closed)), p_size, 'TG022',
      format('wallet %s is closed', closed[1]));
  END IF;
  IF short IS NOT NULL THEN
    PERFORM reject_items(ARRAY(SELECT DISTINCT item FROM unnest(p_lines) WHERE account_id = ANY (short)), p_size, 'TG020',
      format('the balance of wallet %s is insufficient', short[1]));
  END IF;
  INSERT INTO transfers (id, mode, kind, external_reference)
    SELECT DISTINCT transfer_id, mode, kind, external_reference FROM unnest(p_lines);
  INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
    SELECT transfer_id, account_id, mode, currency, amount FROM unnest(p_lines) WHERE amount <> 0;
END $$;
