-- What a refund of p_amount gives back in the payer's currency, for an order that is locked. All refunds together have
-- given back floor(paid × refunded ÷ amount), so that the last one returns the rest exactly.
CREATE FUNCTION payer_share(o orders, p_amount bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (div(o.payer_amount::numeric * (o.refunded + p_amount), o.amount) - div(o.payer_amount::numeric * o.refunded, o.amount))::bigint
$$;

-- The lines that refund out of an account that holds the amount: to the payer's wallet, over the conversion position
-- where the payment was converted.
CREATE FUNCTION refund_lines(o orders, p_from uuid, p_amount bigint, p_payer_amount bigint) RETURNS transfer_line[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  lines transfer_line[] := ARRAY[
    (p_from, o.currency, -p_amount)::transfer_line, (o.payer_account_id, o.payer_currency, p_payer_amount)::transfer_line];
BEGIN
  IF o.payer_currency = o.currency THEN
    RETURN lines;
  END IF;
  RETURN lines
    || (account_of(o.mode, o.currency, 'fx'), o.currency, p_amount)::transfer_line
    || (account_of(o.mode, o.payer_currency, 'fx'), o.payer_currency, -p_payer_amount)::transfer_line;
END $$;

-- Refunds a payment, wholly (p_amount null: all that is left) or in part: the merchant's wallet pays the payer's. Where an
-- administrator has set that a merchant's refunds need approval, the amount is held and the refund waits.
-- Writes `refund.completed`, and `pos.order.refunded` with the refund that makes the sum whole.
-- Answers the refund and whether it was a repeat of the same idempotency key.
-- TG002: not a payment of this merchant and mode; TG021: more than is left; TG020: the merchant's wallet holds less;
-- TG022: the payer's wallet was closed; TG030: key reused.
CREATE OR REPLACE FUNCTION refund_payment(
  p_refund_id text, p_merchant_id uuid, p_mode mode, p_trx_id text, p_amount bigint, p_reason text, p_reference text,
  p_transfer_id uuid, p_idempotency_key text, p_request_hash bytea,
  OUT replayed boolean, OUT result refunds)
LANGUAGE plpgsql AS $$
DECLARE
  earlier_id text := claim_idempotency_key(p_merchant_id, p_mode, 'refund_payment', p_idempotency_key, p_request_hash, p_refund_id);
  waits boolean := (SELECT refunds_need_approval FROM merchants WHERE id = p_merchant_id);
  o orders;
  remaining bigint;
  refunded_now bigint;
  given_back bigint;
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
  merchant_account := account_of(o.mode, o.currency, 'merchant', o.merchant_id);
  IF waits THEN
    PERFORM FROM accounts WHERE id = o.payer_account_id AND closed_at IS NULL;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the payer''s wallet is closed' USING ERRCODE = 'TG022';
    END IF;
    PERFORM move_between_wallets(p_transfer_id, o.mode, 'hold', o.currency, merchant_account,
      account_of(o.mode, o.currency, 'hold', o.merchant_id), refunded_now, NULL);
    INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, reason, reference, hold_transfer_id)
      VALUES (p_refund_id, o.mode, o.merchant_id, o.id, refunded_now, o.currency, 'pending', p_reason, p_reference, p_transfer_id)
      RETURNING * INTO result;
    RETURN;
  END IF;
  IF refunded_now <= 0 THEN
    RAISE EXCEPTION 'a refund moves a positive amount, not %', refunded_now USING ERRCODE = 'invalid_parameter_value';
  END IF;
  given_back := payer_share(o, refunded_now);
  PERFORM book_transfer(p_transfer_id, o.mode, 'refund', NULL, refund_lines(o, merchant_account, refunded_now, given_back));
  INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, reason, reference, transfer_id, settled_at, payer_amount)
    VALUES (p_refund_id, o.mode, o.merchant_id, o.id, refunded_now, o.currency, 'completed', p_reason, p_reference, p_transfer_id, clock_timestamp(), given_back)
    RETURNING * INTO result;
  PERFORM report_refund(result);
END $$;

-- An administrator decides on a refund that waits: approved, the held amount goes to the payer; rejected, it returns to
-- the merchant. The loser of two deciders gets TG044.
-- TG004: no such refund; TG044: already decided; TG022: the payer's wallet was closed (only rejection remains).
CREATE OR REPLACE FUNCTION settle_refund(p_refund_id text, p_approve boolean, p_transfer_id uuid) RETURNS refunds LANGUAGE plpgsql AS $$
DECLARE
  r refunds;
  o orders;
  hold_account uuid;
  given_back bigint;
BEGIN
  -- The order first: whoever refunds it holds its lock.
  SELECT orders.* INTO o FROM orders JOIN refunds ON refunds.order_id = orders.id WHERE refunds.id = p_refund_id FOR NO KEY UPDATE OF orders;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no refund %', p_refund_id USING ERRCODE = 'TG004';
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
