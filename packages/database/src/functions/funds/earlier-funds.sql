-- Returns the earlier transfer with this external reference between the wallet and the house account; null if there is none. Locks the reference
-- until the end of the transaction, so that the second of two concurrent calls finds the transfer of the first. TG060: another movement of
-- funds has this reference.
CREATE OR REPLACE FUNCTION earlier_funds(p_wallet accounts, p_kind transfer_kind, p_house account_kind, p_amount bigint, p_external_reference text)
RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  earlier transfers;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('funds ' || p_wallet.mode || ' ' || p_external_reference, 0));
  SELECT * INTO earlier FROM transfers t WHERE t.mode = p_wallet.mode AND t.external_reference = p_external_reference;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  PERFORM FROM entries e JOIN entries counter ON counter.transfer_id = e.transfer_id
      JOIN accounts house ON house.id = counter.account_id AND house.kind = p_house
    WHERE e.transfer_id = earlier.id AND e.account_id = p_wallet.id AND earlier.kind = p_kind
      AND e.amount = CASE p_kind WHEN 'deposit' THEN p_amount ELSE -p_amount END;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'reference % is already used by transfer %', p_external_reference, earlier.id USING ERRCODE = 'TG060';
  END IF;
  RETURN earlier.id;
END $$;
