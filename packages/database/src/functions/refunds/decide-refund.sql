-- Approves or rejects a pending refund on behalf of an administrator, and writes the audit record in the same transaction. Errors as in
-- settle_refund; TG063: not an active administrator.
CREATE OR REPLACE FUNCTION decide_refund(p_refund_id text, p_approve boolean, p_transfer_id uuid, p_administrator_id uuid, p_reason text)
RETURNS refunds LANGUAGE plpgsql AS $$
DECLARE
  r refunds := settle_refund(p_refund_id, p_approve, p_transfer_id);
BEGIN
  PERFORM record_change(r.merchant_id, p_administrator_id, CASE WHEN p_approve THEN 'refund.approve' ELSE 'refund.reject' END, r.id,
    json_build_object('mode', r.mode, 'currency', r.currency, 'amount_minor', r.amount::text, 'transfer_id', r.transfer_id, 'reason', p_reason));
  RETURN r;
END $$;
