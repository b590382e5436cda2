-- Returns the details of a payout decision for its audit record.
CREATE OR REPLACE FUNCTION payout_decision(p payouts, p_more jsonb) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT (jsonb_build_object('mode', p.mode, 'currency', p.sender_currency, 'amount_minor', p.amount::text, 'fee_minor', p.fee::text,
    'transfer_id', p.transfer_id, 'trx_id', p.trx_id) || p_more)::json
$$;
