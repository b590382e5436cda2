-- A merchant decides on a payout of its own that waits, in the sandbox only. TG003: it has no such payout there; else as
-- settle_payout.
CREATE OR REPLACE FUNCTION decide_test_payout(p_payout_id text, p_merchant_id uuid, p_approve boolean, p_trx_id text, p_transfer_id uuid)
RETURNS payouts LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM payouts WHERE id = p_payout_id AND merchant_id = p_merchant_id AND mode = 'sandbox';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no sandbox payout % of %', p_payout_id, p_merchant_id USING ERRCODE = 'TG003';
  END IF;
  RETURN settle_payout(p_payout_id, p_approve, p_trx_id, p_transfer_id);
END $$;
