-- Returns the SHA-256 of the previous hash and a JSON array of the record's other fields, except its ID. The ID of the author's credential is
-- appended only if there is one, so that older records keep their hash.
CREATE OR REPLACE FUNCTION audit_hash(r audit_records) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(r.previous_hash || convert_to(json_build_array(
    r.merchant_id, r.number, r.administrator_id, r.administrator, r.action, r.subject, r.details,
    to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text
    || coalesce(r.credential_id::text, ''), 'UTF8'))
$$;
