-- Returns whether a movement of funds was approved by a second administrator: there is an approved request for this transfer with the same kind,
-- wallet, amount and reference.
CREATE OR REPLACE FUNCTION funds_are_approved(t transfers, p_wallet accounts, p_amount bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM approval_requests r
    WHERE r.transfer_id = t.id AND r.mode = t.mode AND r.status = 'approved' AND r.kind::text = t.kind::text AND r.account_id = p_wallet.id
      AND r.amount = p_amount AND r.external_reference = t.external_reference)
$$;
