-- Returns what is wrong with an approval request, as the end of an error message; null if it is valid. The request and the decision each need an
-- audit record with the amount, and an approved movement needs a matching transfer that no other request refers to. Requests are checked at
-- commit and by the ledger proof.
CREATE OR REPLACE FUNCTION approval_violation(r approval_requests) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  area text := CASE r.kind WHEN 'single_limit' THEN 'currency.single_limit.' ELSE 'wallet.' || r.kind || '.' END;
  subject text := coalesce(r.account_id::text, r.currency);
  terms jsonb := CASE r.kind WHEN 'single_limit' THEN jsonb_build_object('request_id', r.id, 'after_minor', r.amount::text)
    ELSE jsonb_build_object('request_id', r.id, 'mode', r.mode, 'currency', r.currency, 'amount_minor', r.amount::text,
      'external_reference', r.external_reference) END;
BEGIN
  IF NOT is_recorded(r.requested_by_id, area || 'request', subject, r.id::text, terms) THEN
    RETURN 'has no audit record of the request';
  END IF;
  IF r.status = 'pending' THEN
    RETURN NULL;
  END IF;
  IF r.kind <> 'single_limit' THEN
    terms := terms || jsonb_build_object('transfer_id', r.transfer_id);
  END IF;
  IF NOT is_recorded(r.decided_by_id, area || CASE r.status WHEN 'approved' THEN 'approve' ELSE 'reject' END, subject, r.id::text, terms) THEN
    RETURN 'has no audit record of the decision';
  END IF;
  IF r.transfer_id IS NOT NULL AND (
      EXISTS (SELECT FROM approval_requests WHERE transfer_id = r.transfer_id AND id <> r.id)
      OR NOT EXISTS (
        SELECT FROM transfers t JOIN entries e ON e.transfer_id = t.id
        WHERE t.id = r.transfer_id AND t.kind::text = r.kind::text AND t.external_reference = r.external_reference
          AND e.account_id = r.account_id AND abs(e.amount) = r.amount)) THEN
    RETURN 'refers to another transfer';
  END IF;
  RETURN NULL;
END $$;
