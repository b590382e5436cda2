-- Returns whether a transfer's entries differ from the expected lines. Lines with a zero amount are not booked.
CREATE OR REPLACE FUNCTION lines_differ(p_transfer_id uuid, p_lines transfer_line[]) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  line transfer_line;
  missing transfer_line[] := coalesce(p_lines, '{}');
  place int;
BEGIN
  FOREACH line IN ARRAY ARRAY(SELECT (account_id, currency, amount)::transfer_line FROM entries WHERE transfer_id = p_transfer_id) LOOP
    place := array_position(missing, line);
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
