-- Records a movement of funds in the audit chain of the wallet's merchant, or in the house's chain for a shopper's wallet.
-- TG063 as in chain_audit_record.
CREATE OR REPLACE FUNCTION record_funds(p_action text, p_wallet accounts, p_amount bigint, p_external_reference text, p_request_id uuid, p_transfer_id uuid, p_administrator_id uuid)
RETURNS void LANGUAGE sql AS $$
  SELECT record_change(p_wallet.merchant_id, p_administrator_id, p_action, p_wallet.id::text, json_build_object(
    'mode', p_wallet.mode, 'currency', p_wallet.currency, 'amount_minor', p_amount::text, 'external_reference', p_external_reference,
    'wallet_user_id', p_wallet.wallet_user_id, 'request_id', p_request_id, 'transfer_id', p_transfer_id))
$$;
