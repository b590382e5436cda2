-- Whether a transfer's entries differ from the expected lines. Lines with a zero amount are not booked.
CREATE OR REPLACE FUNCTION lines_differ(p_transfer_id uuid, p_lines transfer_line[]) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  entry record;
  line transfer_line;
  missing transfer_line[] := coalesce(p_lines, '{}');
  place int;
BEGIN
  FOR entry IN SELECT account_id, currency::text, amount FROM entries WHERE transfer_id = p_transfer_id LOOP
    place := array_position(missing, (entry.account_id, entry.currency, entry.amount)::transfer_line);
    IF place IS NULL THEN
      RETURN true;
    END IF;
    missing[place] := NULL;
  END LOOP;
  FOREACH line IN ARRAY missing LOOP
    IF line.amount <> 0 THEN
      RETURN true;
    END IF;
  END LOOP;
  RETURN false;
END $$;
