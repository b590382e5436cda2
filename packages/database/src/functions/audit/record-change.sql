-- Records a change made by a console user. Must be called last in the transaction, after all row locks. Raises TG063 like chain_audit_record.
CREATE OR REPLACE FUNCTION record_change(p_merchant_id uuid, p_administrator_id uuid, p_action text, p_subject text, p_details json)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_records (merchant_id, administrator_id, action, subject, details)
    VALUES (p_merchant_id, p_administrator_id, p_action, p_subject, p_details::text)
$$;
