-- Refunds p_amount (minor units of the order's currency) from the merchant's wallet or, if it is null, what remains of the payment after
-- completed and pending refunds. If the merchant's refunds need approval, the amount is held and the refund is pending, without an event.
-- Otherwise writes `refund.completed`, and `pos.order.refunded` if the payment is then fully refunded. Returns the refund and whether it is
-- a repeat. TG002: not a payment of this merchant and mode; TG021: the amount exceeds the remainder, or nothing remains; TG020:
-- insufficient balance; TG022: the payer's or the merchant's wallet is closed; TG030: the idempotency key was used with other fields;
-- TG013: the merchant is suspended; invalid_parameter_value unless the amount is positive.
CREATE OR REPLACE FUNCTION refund_payment(
  p_refund_id text, p_merchant_id uuid, p_mode mode, p_trx_id text, p_amount bigint, p_reason text, p_reference text,
  p_transfer_id uuid, p_idempotency_key text, p_request_hash bytea, p_metadata text DEFAULT NULL,
  p_credential_id uuid DEFAULT NULL, p_request_id text DEFAULT NULL,
  OUT replayed boolean, OUT result refunds)
LANGUAGE plpgsql AS $$
DECLARE
  earlier_id text;
  waits boolean;
  o orders;
  remaining bigint;
  refunded_now bigint;
  given_back bigint;
  merchant_account uuid;
BEGIN
  PERFORM begin_write(1);
  earlier_id := claim_idempotency_keys(
    ARRAY[p_merchant_id], ARRAY[p_mode], ARRAY['refund_payment'], ARRAY[p_idempotency_key], ARRAY[p_request_hash], ARRAY[p_refund_id]);
  replayed := earlier_id IS NOT NULL;
  IF replayed THEN
    SELECT * INTO STRICT result FROM refunds WHERE id = earlier_id AND mode = p_mode AND merchant_id = p_merchant_id;
    RETURN;
  END IF;
  SELECT * INTO o FROM orders WHERE trx_id = p_trx_id AND merchant_id = p_merchant_id AND mode = p_mode FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'payment % not found', p_trx_id USING ERRCODE = 'TG002';
  END IF;
  -- Read after waiting for the order's lock, to see an administrator's change in between.
  SELECT refunds_need_approval INTO waits FROM merchants WHERE id = p_merchant_id AND suspended_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'merchant % is suspended', p_merchant_id USING ERRCODE = 'TG013';
  END IF;
  remaining := o.amount - o.refunded - o.refund_pending;
  refunded_now := coalesce(p_amount, remaining);
  IF remaining = 0 OR refunded_now > remaining THEN
    RAISE EXCEPTION 'only % of payment % can still be refunded', remaining, p_trx_id USING ERRCODE = 'TG021';
  END IF;
  merchant_account := account_of(o.mode, o.currency, 'merchant', o.merchant_id);
  IF waits THEN
    PERFORM FROM accounts WHERE id = o.payer_account_id AND closed_at IS NULL;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the payer''s wallet is closed' USING ERRCODE = 'TG022';
    END IF;
    PERFORM move_between_wallets(p_transfer_id, o.mode, 'hold', o.currency, merchant_account,
      account_of(o.mode, o.currency, 'hold', o.merchant_id), refunded_now, NULL);
    INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, reason, reference, hold_transfer_id, metadata, credential_id, request_id)
      VALUES (p_refund_id, o.mode, o.merchant_id, o.id, refunded_now, o.currency, 'pending', p_reason, p_reference, p_transfer_id, p_metadata,
        p_credential_id, p_request_id)
      RETURNING * INTO result;
    RETURN;
  END IF;
  IF refunded_now <= 0 THEN
    RAISE EXCEPTION 'a refund moves a positive amount, not %', refunded_now USING ERRCODE = 'invalid_parameter_value';
  END IF;
  given_back := payer_share(o, refunded_now);
  PERFORM book_transfer(p_transfer_id, o.mode, 'refund', NULL, refund_lines(o, merchant_account, refunded_now, given_back));
  INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, reason, reference, transfer_id, settled_at, payer_amount, metadata,
      credential_id, request_id)
    VALUES (p_refund_id, o.mode, o.merchant_id, o.id, refunded_now, o.currency, 'completed', p_reason, p_reference, p_transfer_id, clock_timestamp(), given_back, p_metadata,
      p_credential_id, p_request_id)
    RETURNING * INTO result;
  PERFORM report_refund(result);
END $$;
