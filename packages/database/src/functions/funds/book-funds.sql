-- Books a deposit (house −A, wallet +A) or a withdrawal (house +A, wallet −A). TG020, TG022 as in book_transfer.
CREATE OR REPLACE FUNCTION book_funds(p_transfer_id uuid, p_kind transfer_kind, p_wallet accounts, p_house account_kind, p_amount bigint, p_external_reference text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  into_wallet bigint := CASE p_kind WHEN 'deposit' THEN p_amount ELSE -p_amount END;
BEGIN
  PERFORM book_transfer(p_transfer_id, p_wallet.mode, p_kind, p_external_reference, ARRAY[
    (account_of(p_wallet.mode, p_wallet.currency, p_house), p_wallet.currency, -into_wallet)::transfer_line,
    (p_wallet.id, p_wallet.currency, into_wallet)::transfer_line]);
END $$;
