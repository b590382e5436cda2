-- Returns what is wrong with a transfer, as the end of an error message; null if the transfer matches, line by line and account by account,
-- its order, refund, payout, hold, conversion or movement of funds. Every transfer is checked at commit and by the ledger proof. The mode is compared
-- with IS NOT DISTINCT FROM, which no index supports, so that a plan made for a small table uses the index on transfer_id.
CREATE OR REPLACE FUNCTION transfer_violation(t transfers) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  o orders;
  r refunds;
  p payouts;
  c conversions;
  wanted transfer_line[];
BEGIN
  IF t.id IS NULL THEN
    RETURN 'does not exist';
  END IF;
  CASE t.kind
  WHEN 'payment' THEN
    SELECT * INTO o FROM orders WHERE transfer_id = t.id AND mode IS NOT DISTINCT FROM t.mode AND status = 'PAID';
    IF NOT FOUND THEN
      RETURN 'does not belong to a paid order';
    END IF;
    IF payer_violation(o) IS NOT NULL THEN
      RETURN payer_violation(o);
    END IF;
    wanted := payment_lines(o);
  WHEN 'refund' THEN
    SELECT * INTO r FROM refunds WHERE transfer_id = t.id AND mode IS NOT DISTINCT FROM t.mode AND status = 'completed';
    SELECT * INTO o FROM orders
      WHERE id = r.order_id AND (mode, merchant_id, currency) IS NOT DISTINCT FROM (r.mode, r.merchant_id, r.currency);
    IF NOT FOUND THEN
      RETURN 'does not belong to a completed refund';
    END IF;
    wanted := refund_lines(o, giving_account(r.mode, r.currency, r.merchant_id, r.hold_transfer_id), r.amount, r.payer_amount);
  WHEN 'payout' THEN
    SELECT * INTO p FROM payouts WHERE transfer_id = t.id AND mode IS NOT DISTINCT FROM t.mode AND status = 'completed';
    IF NOT FOUND THEN
      RETURN 'does not belong to a completed payout';
    END IF;
    IF payout_violation(p) IS NOT NULL THEN
      RETURN payout_violation(p);
    END IF;
    wanted := payout_lines(p, giving_account(p.mode, p.sender_currency, p.merchant_id, p.hold_transfer_id));
  WHEN 'hold', 'hold_return' THEN
    wanted := hold_lines(t);
    IF wanted IS NULL THEN
      RETURN 'does not belong to exactly one refund or payout';
    END IF;
  WHEN 'top_up' THEN
    SELECT * INTO o FROM orders
      WHERE id = substr(t.external_reference, length('top-up for ') + 1) AND mode = t.mode AND status = 'PAID';
    IF NOT FOUND OR t.mode <> 'sandbox' OR t.external_reference <> 'top-up for ' || o.id OR NOT EXISTS (
        SELECT FROM accounts a JOIN wallet_users u ON u.id = a.wallet_user_id
        WHERE a.id = o.payer_account_id AND u.test_of_merchant_id = o.merchant_id) THEN
      RETURN 'does not top up a test shopper''s wallet for an order';
    END IF;
    wanted := top_up_lines(o);
  WHEN 'conversion' THEN
    SELECT * INTO c FROM conversions WHERE transfer_id = t.id AND mode = t.mode;
    IF NOT FOUND THEN
      RETURN 'does not belong to a conversion';
    END IF;
    IF conversion_violation(c) IS NOT NULL THEN
      RETURN conversion_violation(c);
    END IF;
    wanted := conversion_lines(c);
  WHEN 'deposit', 'withdrawal' THEN
    RETURN funds_violation(t);
  END CASE;
  IF lines_differ(t.id, wanted) THEN
    RETURN 'does not have the lines of its order, refund, payout, hold or conversion';
  END IF;
  RETURN NULL;
END $$;
