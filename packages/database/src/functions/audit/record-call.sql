-- Records a change made by an API request, with the request's credential as the author. Must be called last in the transaction, after all
-- row locks. Raises TG063 like chain_audit_record.
CREATE OR REPLACE FUNCTION record_call(p_merchant_id uuid, p_credential_id uuid, p_action text, p_subject text, p_details json)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_records (merchant_id, credential_id, action, subject, details)
    VALUES (p_merchant_id, p_credential_id, p_action, p_subject, p_details::text)
$$;
