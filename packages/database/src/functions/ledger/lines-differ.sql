-- Whether a transfer's entries differ as a whole from the expected lines. Lines of zero are not booked.
CREATE OR REPLACE FUNCTION lines_differ(p_transfer_id uuid, p_lines transfer_line[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM (
      SELECT account_id, currency::text, amount, 1 AS said FROM entries WHERE transfer_id = p_transfer_id
      UNION ALL SELECT account_id, currency, amount, -1 FROM unnest(p_lines) WHERE amount <> 0) AS both_sides
    GROUP BY account_id, currency, amount HAVING sum(said) <> 0)
$$;
