-- Returns a wallet's entries with numbers between p_after and p_before, both exclusive, each with its amount before the fee and its fee
-- (entry_fee). The row comparisons restrict the planner to the wallet's index; a scan of the primary key would read the entries of all
-- wallets.
CREATE OR REPLACE FUNCTION gross_entries(p_account_id uuid, p_after bigint, p_before bigint) RETURNS TABLE (id bigint, gross bigint, fee bigint)
LANGUAGE sql STABLE AS $$
  SELECT n.id, n.amount + entry_fee(n.amount, p.fee), entry_fee(n.amount, p.fee)
  FROM entries n LEFT JOIN LATERAL (
    SELECT fee FROM payouts WHERE transfer_id = n.transfer_id
    UNION ALL SELECT fee FROM payouts WHERE hold_transfer_id = n.transfer_id LIMIT 1) AS p ON true
  WHERE (n.account_id, n.id) > (p_account_id, p_after) AND (n.account_id, n.id) < (p_account_id, p_before)
$$;
