-- Returns what is wrong with a request to add or enable an administrator, as the end of an error message; null if it is valid. The request and
-- the decision each need an audit record. Requests are checked at commit and by the ledger proof.
CREATE OR REPLACE FUNCTION administrator_request_violation(r administrator_requests) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN NOT is_recorded(r.requested_by_id, format('administrator.%s.request', r.kind), r.id::text, '', jsonb_build_object('email', r.email))
      THEN 'has no audit record of the request'
    WHEN r.status <> 'pending' AND NOT is_recorded(r.decided_by_id,
        format('administrator.%s.%s', r.kind, CASE r.status WHEN 'approved' THEN 'approve' ELSE 'reject' END), r.id::text, '',
        jsonb_build_object('email', r.email))
      THEN 'has no audit record of the decision' END
$$;
