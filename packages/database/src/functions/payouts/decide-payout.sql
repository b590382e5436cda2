-- Approves or rejects a pending payout on behalf of an administrator, and writes the audit record in the same transaction. Errors as in
-- settle_payout; TG063: not an active administrator.
CREATE OR REPLACE FUNCTION decide_payout(p_payout_id text, p_approve boolean, p_trx_id text, p_transfer_id uuid, p_administrator_id uuid, p_reason text)
RETURNS payouts LANGUAGE plpgsql AS $$
DECLARE
  p payouts := settle_payout(p_payout_id, p_approve, p_trx_id, p_transfer_id);
BEGIN
  PERFORM record_change(p.merchant_id, p_administrator_id, CASE WHEN p_approve THEN 'payout.approve' ELSE 'payout.reject' END, p.id,
    payout_decision(p, jsonb_build_object('reason', p_reason)));
  RETURN p;
END $$;
