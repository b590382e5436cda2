-- Approves or rejects a pending sandbox payout at the merchant's request through the API; the credential is recorded as the author. The audit
-- action is test_payout.*, since payout.* is reserved for administrators. TG003: the merchant has no sandbox payout with this ID; other errors
-- as in settle_payout; TG063 as in chain_audit_record.
CREATE OR REPLACE FUNCTION decide_test_payout(p_payout_id text, p_merchant_id uuid, p_approve boolean, p_trx_id text, p_transfer_id uuid,
  p_credential_id uuid, p_request_id text)
RETURNS payouts LANGUAGE plpgsql AS $$
DECLARE
  p payouts;
BEGIN
  PERFORM begin_write(1);
  PERFORM FROM payouts WHERE id = p_payout_id AND merchant_id = p_merchant_id AND mode = 'sandbox';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'sandbox payout % of merchant % not found', p_payout_id, p_merchant_id USING ERRCODE = 'TG003';
  END IF;
  p := settle_payout(p_payout_id, p_approve, p_trx_id, p_transfer_id);
  PERFORM record_call(p.merchant_id, p_credential_id, CASE WHEN p_approve THEN 'test_payout.approve' ELSE 'test_payout.reject' END, p.id,
    payout_decision(p, jsonb_build_object('request_id', p_request_id)));
  RETURN p;
END $$;
