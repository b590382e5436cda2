-- Settles a pending refund. On approval, the payer receives the held amount, converted back if the payment was converted; on rejection, the
-- held amount returns to the merchant's wallet. Writes `refund.completed` or `refund.failed`, and `pos.order.refunded` if the order is then
-- fully refunded. TG004: the refund does not exist; TG044: already decided, possibly by a concurrent call; TG022: the wallet that would receive the
-- amount is closed.
CREATE OR REPLACE FUNCTION settle_refund(p_refund_id text, p_approve boolean, p_transfer_id uuid) RETURNS refunds LANGUAGE plpgsql AS $$
DECLARE
  r refunds;
  o orders;
  hold_account uuid;
  given_back bigint;
BEGIN
  PERFORM begin_write(1);
  -- Locks the order first, as refund_payments does.
  SELECT orders.* INTO o FROM orders JOIN refunds ON refunds.order_id = orders.id WHERE refunds.id = p_refund_id FOR NO KEY UPDATE OF orders;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'refund % not found', p_refund_id USING ERRCODE = 'TG004';
  END IF;
  SELECT * INTO STRICT r FROM refunds WHERE id = p_refund_id FOR NO KEY UPDATE;
  IF r.status <> 'pending' THEN
    RAISE EXCEPTION 'refund % is %', p_refund_id, r.status USING ERRCODE = 'TG044';
  END IF;
  hold_account := account_of(r.mode, r.currency, 'hold', r.merchant_id);
  IF p_approve THEN
    given_back := payer_share(o, r.amount);
    PERFORM book_transfer(p_transfer_id, r.mode, 'refund', NULL, refund_lines(o, hold_account, r.amount, given_back));
  ELSE
    PERFORM move_between_wallets(p_transfer_id, r.mode, 'hold_return', r.currency, hold_account,
      account_of(r.mode, r.currency, 'merchant', r.merchant_id), r.amount, NULL);
  END IF;
  UPDATE refunds SET status = CASE WHEN p_approve THEN 'completed'::refund_status ELSE 'failed' END,
      transfer_id = p_transfer_id, settled_at = clock_timestamp(), payer_amount = given_back
    WHERE id = r.id RETURNING * INTO r;
  PERFORM report_refund(r);
  RETURN r;
END $$;
