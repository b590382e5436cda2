-- Refunds a payment, wholly (p_amount null: all that is left) or in part: the merchant's wallet pays the payer's.
-- Writes `refund.completed`, and `pos.order.refunded` with the refund that makes the sum whole.
-- Answers the refund and whether it was a repeat of the same idempotency key.
-- TG002: not a payment of this merchant and mode; TG021: more than is left; TG020: the merchant's wallet holds less;
-- TG022: the payer's wallet was closed; TG030: key reused.
CREATE FUNCTION refund_payment(
  p_refund_id text, p_merchant_id uuid, p_mode mode, p_trx_id text, p_amount bigint, p_reason text, p_reference text,
  p_transfer_id uuid, p_idempotency_key text, p_request_hash bytea,
  OUT replayed boolean, OUT result refunds)
LANGUAGE plpgsql AS $$
DECLARE
  earlier_id text := claim_idempotency_key(p_merchant_id, p_mode, 'refund_payment', p_idempotency_key, p_request_hash, p_refund_id);
  o orders;
  remaining bigint;
  refunded_now bigint;
  merchant_account uuid;
BEGIN
  replayed := earlier_id IS NOT NULL;
  IF replayed THEN
    SELECT * INTO STRICT result FROM refunds WHERE id = earlier_id AND mode = p_mode;
    RETURN;
  END IF;
  SELECT * INTO o FROM orders WHERE trx_id = p_trx_id AND merchant_id = p_merchant_id AND mode = p_mode FOR NO KEY UPDATE;
  IF NOT FOUND OR o.status <> 'PAID' THEN
    RAISE EXCEPTION 'no payment %', p_trx_id USING ERRCODE = 'TG002';
  END IF;
  remaining := o.amount - o.refunded - o.refund_pending;
  refunded_now := coalesce(p_amount, remaining);
  IF remaining = 0 OR refunded_now > remaining THEN
    RAISE EXCEPTION 'only % is left of payment %', remaining, p_trx_id USING ERRCODE = 'TG021';
  END IF;
  SELECT id INTO STRICT merchant_account FROM accounts
    WHERE merchant_id = o.merchant_id AND mode = o.mode AND currency = o.currency AND kind = 'merchant';
  PERFORM move_between_wallets(p_transfer_id, o.mode, 'refund', o.currency, merchant_account, o.payer_account_id, refunded_now, NULL);
  INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, reason, reference, transfer_id, settled_at)
    VALUES (p_refund_id, o.mode, o.merchant_id, o.id, refunded_now, o.currency, 'completed', p_reason, p_reference, p_transfer_id, clock_timestamp())
    RETURNING * INTO result;
  SELECT * INTO STRICT o FROM orders WHERE id = o.id;
  PERFORM emit_refund_event(o, result, 'refund.completed');
  IF o.state = 'REFUNDED' THEN
    PERFORM emit_order_event(o, 'pos.order.refunded');
  END IF;
END $$;
