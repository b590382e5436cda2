-- Books one transfer of any number of lines. TG020, TG022 as in book_transfers.
CREATE OR REPLACE FUNCTION book_transfer(p_transfer_id uuid, p_mode mode, p_kind transfer_kind, p_external_reference text, p_lines transfer_line[])
RETURNS void LANGUAGE sql AS $$
  SELECT book_transfers(1, ARRAY(
    SELECT (NULL, p_transfer_id, p_mode, p_kind, p_external_reference, l.account_id, l.currency, l.amount)::booked_line FROM unnest(p_lines) l))
$$;
