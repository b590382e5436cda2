-- Moves money between a wallet and the outside, or requests approval by a second administrator if a live amount exceeds the
-- single-administrator limit. Returns `booked` or `repeated` with the transfer, `requested` or `waiting` with the request. Each reference
-- is booked only once. TG060: another movement of funds has this reference; TG064: the wallet does not exist; TG020, TG022 as in book_transfer; TG063
-- as in chain_audit_record; invalid_parameter_value unless the movement is a deposit or withdrawal of a positive amount through the funding or
-- issuing account.
CREATE OR REPLACE FUNCTION move_funds(
  p_kind transfer_kind, p_account_id uuid, p_house account_kind, p_amount bigint, p_external_reference text,
  p_transfer_id uuid, p_request_id uuid, p_administrator_id uuid, OUT outcome text, OUT id uuid)
LANGUAGE plpgsql AS $$
DECLARE
  wallet accounts;
  earlier uuid;
  request approval_requests;
BEGIN
  PERFORM begin_write(1);
  IF p_kind NOT IN ('deposit', 'withdrawal') OR p_house NOT IN ('funding', 'issuing') OR p_amount <= 0 THEN
    RAISE EXCEPTION 'a movement of funds must be a deposit or withdrawal of a positive amount through the funding or issuing account' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT * INTO wallet FROM accounts a WHERE a.id = p_account_id AND a.kind IN ('merchant', 'shopper');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'wallet % not found', p_account_id USING ERRCODE = 'TG064';
  END IF;
  earlier := earlier_funds(wallet, p_kind, p_house, p_amount, p_external_reference);
  IF earlier IS NOT NULL THEN
    outcome := 'repeated';
    id := earlier;
    RETURN;
  END IF;
  SELECT * INTO request FROM approval_requests r
    WHERE r.mode = wallet.mode AND r.external_reference = p_external_reference AND r.status = 'pending';
  IF FOUND THEN
    IF (request.kind::text, request.account_id, request.amount) IS DISTINCT FROM (p_kind::text, wallet.id, p_amount) THEN
      RAISE EXCEPTION 'reference % is already used by request %', p_external_reference, request.id USING ERRCODE = 'TG060';
    END IF;
    outcome := 'waiting';
    id := request.id;
    RETURN;
  END IF;
  IF wallet.mode = 'live' AND p_amount > (SELECT single_administrator_limit FROM currencies WHERE code = wallet.currency FOR SHARE) THEN
    IF wallet.closed_at IS NOT NULL THEN
      RAISE EXCEPTION 'wallet % is closed', wallet.id USING ERRCODE = 'TG022';
    END IF;
    INSERT INTO approval_requests (id, kind, mode, account_id, currency, amount, external_reference, requested_by_id)
      VALUES (p_request_id, p_kind::text::approval_kind, wallet.mode, wallet.id, wallet.currency, p_amount, p_external_reference, p_administrator_id);
    PERFORM record_funds('wallet.' || p_kind || '.request', wallet, p_amount, p_external_reference, p_request_id, NULL, p_administrator_id);
    outcome := 'requested';
    id := p_request_id;
    RETURN;
  END IF;
  PERFORM book_funds(p_transfer_id, p_kind, wallet, p_house, p_amount, p_external_reference);
  -- A deposit from the issuing account is recorded as a sandbox top-up, so that its record is never that of a live movement.
  PERFORM record_funds('wallet.' || CASE p_house WHEN 'issuing' THEN 'top_up' ELSE p_kind::text END, wallet, p_amount, p_external_reference, NULL, p_transfer_id, p_administrator_id);
  outcome := 'booked';
  id := p_transfer_id;
END $$;
