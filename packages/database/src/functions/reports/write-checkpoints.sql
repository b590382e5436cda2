-- Writes missing checkpoints, one at every thousandth entry, for up to p_limit of the merchants' wallets and holds, at most ten for each.
-- Returns the number of processed accounts. A wallet's entries are committed in order, so none is missed, and concurrent calls write the
-- same checkpoints.
CREATE OR REPLACE FUNCTION write_checkpoints(p_limit int) RETURNS int LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  wallets int;
BEGIN
  WITH due AS MATERIALIZED (
    SELECT a.id AS account_id, coalesce(c.entry_id, 0) AS entry_id, coalesce(c.entries, 0) AS entries, coalesce(c.credits, 0) AS credits,
      coalesce(c.debits, 0) AS debits, coalesce(c.fees, 0) AS fees
    FROM accounts a LEFT JOIN LATERAL (
      SELECT * FROM entry_checkpoints WHERE account_id = a.id ORDER BY entry_id DESC LIMIT 1) AS c ON true
    WHERE a.merchant_id IS NOT NULL
      AND EXISTS (SELECT FROM entries WHERE (account_id, id) > (a.id, coalesce(c.entry_id, 0)) AND (account_id, id) < (a.id, 9223372036854775807)
        ORDER BY account_id, id OFFSET 999)
    LIMIT p_limit),
  written AS (
    INSERT INTO entry_checkpoints (account_id, entry_id, entries, credits, debits, fees)
    SELECT due.account_id, summed.id, due.entries + number, due.credits + credited, due.debits + debited, due.fees + charged
    FROM due LEFT JOIN LATERAL (
      SELECT id FROM entries WHERE (account_id, id) > (due.account_id, due.entry_id) AND (account_id, id) < (due.account_id, 9223372036854775807)
      ORDER BY account_id, id OFFSET 10000 LIMIT 1) AS bound ON true
    CROSS JOIN LATERAL (
      SELECT n.id, row_number() OVER running AS number, coalesce(sum(n.gross) FILTER (WHERE n.gross > 0) OVER running, 0) AS credited,
        coalesce(sum(-n.gross) FILTER (WHERE n.gross < 0) OVER running, 0) AS debited, sum(n.fee) OVER running AS charged
      FROM gross_entries(due.account_id, due.entry_id, coalesce(bound.id, 9223372036854775807)) AS n
      WINDOW running AS (ORDER BY n.id ROWS UNBOUNDED PRECEDING)) AS summed
    WHERE summed.number % 1000 = 0 ON CONFLICT DO NOTHING)
  SELECT count(*) INTO wallets FROM due;
  RETURN wallets;
END $$;
