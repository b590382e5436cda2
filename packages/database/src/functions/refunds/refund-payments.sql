-- Refunds one payment or a group. Each argument has one element per item. A group must not contain two refunds of one payment; otherwise, it
-- may fail as a whole. From the merchant's wallet, refunds p_amount (minor units of the order's currency) or, if p_amount is null, what
-- remains of the payment after completed and pending refunds. If the merchant's refunds need approval, the amount is held and the refund is pending,
-- without an event. Otherwise writes `refund.completed`, and `pos.order.refunded` if the payment is then fully refunded. Returns each refund
-- and whether it is a repeat (single items only). TG002: not a payment of this merchant and mode; TG021: the amount exceeds the remainder, or
-- nothing remains; TG020: insufficient balance; TG022: the payer's or the merchant's wallet is closed; TG030: the idempotency key was used
-- with other fields; TG013: the merchant is suspended; TG080 as in reject_items; invalid_parameter_value unless the amount is positive.
CREATE OR REPLACE FUNCTION refund_payments(
  p_refund_id text[], p_merchant_id uuid[], p_mode mode[], p_trx_id text[], p_amount bigint[], p_reason text[], p_reference text[],
  p_transfer_id uuid[], p_idempotency_key text[], p_request_hash bytea[], p_metadata text[], p_credential_id uuid[], p_request_id text[])
RETURNS TABLE (replayed boolean, result refunds) LANGUAGE plpgsql AS $$
DECLARE
  size int := cardinality(p_refund_id);
  earlier_id text;
  started timestamptz;
  paid orders[];
  suspended uuid[];
  reviewed uuid[];
  o orders;
  r refunds;
  made refunds[];
  remaining bigint;
  exceeding text[];
BEGIN
  PERFORM begin_write(size);
  earlier_id := claim_idempotency_keys(p_merchant_id, p_mode, array_fill('refund_payment'::text, ARRAY[size]), p_idempotency_key, p_request_hash,
    p_refund_id);
  IF earlier_id IS NOT NULL THEN
    RETURN QUERY SELECT true, f FROM refunds f WHERE f.id = earlier_id;
    RETURN;
  END IF;
  -- LATERAL with LIMIT forces an index lookup by payment ID: a plan cached while there were few orders would scan them all.
  SELECT array_agg(one ORDER BY at) INTO paid
    FROM (SELECT p AS one FROM orders p WHERE p.id = ANY (ARRAY(
        SELECT known.id FROM unnest(p_trx_id, p_merchant_id, p_mode) AS wanted (trx_id, merchant_id, mode)
        CROSS JOIN LATERAL (
          SELECT id FROM orders
            WHERE trx_id = wanted.trx_id AND (merchant_id, mode) IS NOT DISTINCT FROM (wanted.merchant_id, wanted.mode) LIMIT 1) AS known))
      ORDER BY p.id FOR NO KEY UPDATE) AS locked
    JOIN unnest(p_trx_id, p_merchant_id, p_mode) WITH ORDINALITY AS item (trx_id, merchant_id, mode, at)
      ON (one).trx_id = item.trx_id AND (one).merchant_id = item.merchant_id AND (one).mode = item.mode;
  IF cardinality(paid) IS DISTINCT FROM size THEN
    PERFORM reject_items(ARRAY(
        SELECT id FROM unnest(p_refund_id, p_trx_id, p_merchant_id, p_mode) AS item (id, trx_id, merchant_id, mode)
        WHERE (trx_id, merchant_id, mode) IN (SELECT p.trx_id, p.merchant_id, p.mode FROM unnest(paid) p) IS NOT TRUE),
      size, 'TG002', 'payment not found');
  END IF;
  -- Read after waiting for the orders' locks, to see changes that an administrator made in the meantime.
  WITH locked AS MATERIALIZED (
    SELECT id, suspended_at, refunds_need_approval FROM merchants WHERE id = ANY (p_merchant_id) ORDER BY id FOR SHARE
  ) SELECT array_agg(id) FILTER (WHERE suspended_at IS NOT NULL), array_agg(id) FILTER (WHERE refunds_need_approval) INTO suspended, reviewed FROM locked;
  PERFORM reject_items(ARRAY(SELECT id FROM unnest(p_refund_id, p_merchant_id) AS item (id, merchant_id) WHERE merchant_id = ANY (suspended)),
    size, 'TG013', 'the merchant is suspended');
  started := clock_timestamp();
  FOR at IN 1..size LOOP
    o := paid[at];
    remaining := o.amount - o.refunded - o.refund_pending;
    r := NULL;
    r.id := p_refund_id[at];
    r.mode := o.mode;
    r.merchant_id := o.merchant_id;
    r.order_id := o.id;
    r.amount := coalesce(p_amount[at], remaining);
    r.currency := o.currency;
    r.reason := p_reason[at];
    r.reference := p_reference[at];
    r.metadata := p_metadata[at];
    r.credential_id := p_credential_id[at];
    r.request_id := p_request_id[at];
    IF remaining = 0 OR r.amount > remaining THEN
      exceeding := exceeding || r.id;
    ELSIF r.amount <= 0 THEN
      RAISE EXCEPTION 'a refund must have a positive amount, not %', r.amount USING ERRCODE = 'invalid_parameter_value';
    ELSIF o.merchant_id = ANY (reviewed) THEN
      r.status := 'pending';
      r.hold_transfer_id := p_transfer_id[at];
    ELSE
      r.status := 'completed';
      r.transfer_id := p_transfer_id[at];
      r.payer_amount := payer_share(o, r.amount);
    END IF;
    made[at] := r;
  END LOOP;
  PERFORM reject_items(exceeding, size, 'TG021', 'the amount exceeds what remains of the payment');
  IF reviewed IS NOT NULL THEN
    -- A hold moves no money of the payer, so book_transfers would not notice that the payer's wallet is closed.
    PERFORM reject_items(ARRAY(
        SELECT f.id FROM unnest(made) f JOIN unnest(paid) p ON p.id = f.order_id JOIN accounts a ON a.id = p.payer_account_id
        WHERE a.closed_at IS NOT NULL),
      size, 'TG022', 'the payer''s wallet is closed');
  END IF;
  PERFORM book_transfers(size, ARRAY(
    SELECT (f.id, coalesce(f.hold_transfer_id, f.transfer_id), f.mode, CASE f.status WHEN 'pending' THEN 'hold'::transfer_kind ELSE 'refund' END,
            NULL, l.account_id, l.currency, l.amount)::booked_line
    FROM unnest(made) WITH ORDINALITY f, LATERAL unnest(CASE f.status
      WHEN 'pending' THEN lines_into_hold(f.mode, f.currency, f.merchant_id, f.amount)
      ELSE refund_lines(paid[f.ordinality], account_of(f.mode, f.currency, 'merchant', f.merchant_id), f.amount, f.payer_amount) END) l));
  RETURN QUERY
    INSERT INTO refunds AS f (id, mode, merchant_id, order_id, amount, currency, status, reason, reference, hold_transfer_id, transfer_id, created_at,
        settled_at, payer_amount, metadata, credential_id, request_id)
      SELECT id, mode, merchant_id, order_id, amount, currency, status, reason, reference, hold_transfer_id, transfer_id, started,
        CASE status WHEN 'completed' THEN started END, payer_amount, metadata, credential_id, request_id FROM unnest(made)
      RETURNING false, f;
  INSERT INTO events (mode, merchant_id, name, order_id, refund_id)
    SELECT mode, merchant_id, 'refund.completed', order_id, id FROM unnest(made) WHERE status = 'completed';
  INSERT INTO events (mode, merchant_id, name, order_id)
    SELECT mode, merchant_id, 'pos.order.refunded', id FROM orders WHERE id = ANY (ARRAY(SELECT order_id FROM unnest(made))) AND state = 'REFUNDED';
END $$;
