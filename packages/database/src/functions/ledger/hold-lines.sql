-- Returns the lines that hold the money of a refund or payout (with its fee), or return it to the merchant; null unless the transfer belongs to
-- exactly one refund or payout.
CREATE OR REPLACE FUNCTION hold_lines(t transfers) RETURNS transfer_line[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  held record;
BEGIN
  IF t.kind = 'hold' THEN
    SELECT count(*), min(merchant_id::text)::uuid AS merchant_id, min(currency) AS currency, min(amount) AS amount INTO held FROM (
      SELECT merchant_id, currency, amount FROM refunds WHERE hold_transfer_id = t.id AND mode IS NOT DISTINCT FROM t.mode
      UNION ALL SELECT merchant_id, sender_currency, amount + fee FROM payouts WHERE hold_transfer_id = t.id AND mode IS NOT DISTINCT FROM t.mode) AS both_kinds;
  ELSE
    SELECT count(*), min(merchant_id::text)::uuid AS merchant_id, min(currency) AS currency, min(amount) AS amount INTO held FROM (
      SELECT merchant_id, currency, amount FROM refunds WHERE transfer_id = t.id AND mode IS NOT DISTINCT FROM t.mode AND status = 'failed'
      UNION ALL SELECT merchant_id, sender_currency, amount + fee FROM payouts WHERE transfer_id = t.id AND mode IS NOT DISTINCT FROM t.mode AND status = 'failed') AS both_kinds;
  END IF;
  IF held.count <> 1 THEN
    RETURN NULL;
  END IF;
  RETURN lines_into_hold(t.mode, held.currency, held.merchant_id, CASE t.kind WHEN 'hold' THEN held.amount ELSE -held.amount END);
END $$;
