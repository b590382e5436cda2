-- Books one amount from one account to another of the same currency. TG020, TG022 as in book_transfers; invalid_parameter_value unless the
-- amount is positive and the accounts differ.
CREATE OR REPLACE FUNCTION move_between_wallets(
  p_transfer_id uuid, p_mode mode, p_kind transfer_kind, p_currency text, p_from uuid, p_to uuid, p_amount bigint, p_external_reference text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_amount <= 0 OR p_from = p_to THEN
    RAISE EXCEPTION 'a transfer must move a positive amount to another account (amount: %)', p_amount USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM book_transfer(p_transfer_id, p_mode, p_kind, p_external_reference,
    ARRAY[(p_from, p_currency, -p_amount)::transfer_line, (p_to, p_currency, p_amount)::transfer_line]);
END $$;
