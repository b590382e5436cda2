-- Refuses the items of a call that do not fit; does nothing where none is named. A call of one item gets the refusal itself.
-- A set of several decides no refusal: TG080 undoes all of it and names the misfits, one a line of its detail. They then go
-- singly, through the same function, so that codes and the order of checks are those of one item.
CREATE OR REPLACE FUNCTION refuse_misfits(p_misfits text[], p_size int, p_code text, p_reason text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(cardinality(p_misfits), 0) = 0 THEN
    RETURN;
  END IF;
  IF p_size = 1 THEN
    RAISE EXCEPTION '%', p_reason USING ERRCODE = p_code;
  END IF;
  RAISE EXCEPTION '% of a set of % do not fit: %', cardinality(p_misfits), p_size, p_reason
    USING ERRCODE = 'TG080', DETAIL = array_to_string(p_misfits, E'\n');
END $$;
