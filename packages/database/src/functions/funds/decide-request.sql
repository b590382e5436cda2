-- Approves or rejects an approval request on behalf of a second administrator. The requester can only withdraw (reject) it. TG061: unknown
-- request; TG044: already decided, possibly by a concurrent call; TG062: approved by its requester; TG063: the requester (for an approval)
-- or the deciding user is not an active administrator; TG020, TG022 as in book_transfer.
CREATE OR REPLACE FUNCTION decide_request(p_request_id uuid, p_approve boolean, p_transfer_id uuid, p_administrator_id uuid)
RETURNS approval_requests LANGUAGE plpgsql AS $$
DECLARE
  r approval_requests;
  wallet accounts;
  booked uuid := CASE WHEN p_approve THEN p_transfer_id END;
  verb text := CASE WHEN p_approve THEN '.approve' ELSE '.reject' END;
BEGIN
  PERFORM begin_write(1);
  SELECT * INTO r FROM approval_requests WHERE id = p_request_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'request % not found', p_request_id USING ERRCODE = 'TG061';
  END IF;
  IF r.status <> 'pending' THEN
    RAISE EXCEPTION 'request % is %', p_request_id, r.status USING ERRCODE = 'TG044';
  END IF;
  IF p_approve AND r.requested_by_id = p_administrator_id THEN
    RAISE EXCEPTION 'request % must be decided by another administrator', p_request_id USING ERRCODE = 'TG062';
  END IF;
  IF p_approve AND NOT are_active_administrators(r.requested_by_id, p_administrator_id) THEN
    RAISE EXCEPTION 'request % requires two active administrators', p_request_id USING ERRCODE = 'TG063';
  END IF;
  IF r.kind = 'single_limit' THEN
    booked := NULL;
    IF p_approve THEN
      UPDATE currencies SET single_administrator_limit = r.amount WHERE code = r.currency;
    END IF;
  ELSE
    SELECT * INTO STRICT wallet FROM accounts WHERE id = r.account_id;
    IF p_approve THEN
      PERFORM book_funds(p_transfer_id, r.kind::text::transfer_kind, wallet, 'funding', r.amount, r.external_reference);
    END IF;
  END IF;
  UPDATE approval_requests SET status = CASE WHEN p_approve THEN 'approved'::approval_status ELSE 'rejected' END,
      decided_by_id = p_administrator_id, decided_at = clock_timestamp(), transfer_id = booked
    WHERE id = r.id RETURNING * INTO r;
  IF r.kind = 'single_limit' THEN
    PERFORM record_change(NULL, p_administrator_id, 'currency.single_limit' || verb, r.currency,
      json_build_object('after_minor', r.amount::text, 'request_id', r.id));
  ELSE
    PERFORM record_funds('wallet.' || r.kind || verb, wallet, r.amount, r.external_reference, r.id, booked, p_administrator_id);
  END IF;
  RETURN r;
END $$;
