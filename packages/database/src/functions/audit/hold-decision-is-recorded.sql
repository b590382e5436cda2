-- Returns whether the merchant's audit chain contains the decision on a held payout or refund, with its amount and transfer. An administrator
-- decides; in the sandbox, the merchant's credential may decide on a payout instead.
CREATE OR REPLACE FUNCTION hold_decision_is_recorded(
  p_what text, p_id text, p_merchant_id uuid, p_mode mode, p_approved boolean, p_amount bigint, p_transfer_id uuid)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM audit_records a CROSS JOIN LATERAL (SELECT p_what || CASE WHEN p_approved THEN '.approve' ELSE '.reject' END AS action) wanted
    WHERE a.subject = p_id AND a.merchant_id = p_merchant_id
      AND (a.action = wanted.action OR (p_mode = 'sandbox' AND p_what = 'payout' AND a.action = 'test_' || wanted.action))
      AND a.details::jsonb @> jsonb_build_object('mode', p_mode, 'amount_minor', p_amount::text, 'transfer_id', p_transfer_id))
$$;
