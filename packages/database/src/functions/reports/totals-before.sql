-- Returns the totals of a wallet's entries before an entry number, computed from the last checkpoint before it and the entries since. The
-- settings force a plan that reads only that checkpoint and those entries.
CREATE OR REPLACE FUNCTION totals_before(p_account_id uuid, p_entry_id bigint, OUT entries bigint, OUT credits bigint, OUT debits bigint, OUT fees bigint)
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET jit = off AS $$
DECLARE
  last entry_checkpoints;
BEGIN
  SELECT * INTO last FROM entry_checkpoints c WHERE c.account_id = p_account_id AND c.entry_id < p_entry_id ORDER BY c.entry_id DESC LIMIT 1;
  SELECT coalesce(last.entries, 0) + count(*), coalesce(last.credits, 0) + coalesce(sum(n.gross) FILTER (WHERE n.gross > 0), 0),
      coalesce(last.debits, 0) + coalesce(sum(-n.gross) FILTER (WHERE n.gross < 0), 0), coalesce(last.fees, 0) + coalesce(sum(n.fee), 0)
    INTO entries, credits, debits, fees
    FROM gross_entries(p_account_id, coalesce(last.entry_id, 0), p_entry_id) AS n;
END $$;
