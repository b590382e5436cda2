-- Executes payouts, one or a set, or holds their money until an administrator decides: if the caller says so (p_needs_approval),
-- or the terms do by now. Each argument has one element an item. The caller has decided rate, fee and recipient. Checked again
-- here is what can race: idempotency key, reference, quote, the merchant's suspension, recipient, terms, limits, balance, and last
-- of all the currencies. Answers each payout and whether it was a repeat of the same idempotency key (only of one item); the
-- partner API's repeats always answer the original, so the fields of a repeat are not compared. TG040: the quote is used, expired
-- or foreign; TG041: another payout has this reference; TG042, TG043 as take_usage; TG045: the recipient is deactivated; TG013:
-- the merchant is suspended; TG047: above the limit of one payout; TG048: the sender currency is not authorised; TG049, TG050 as
-- require_active_currencies; TG020, TG022 as book_transfers; TG080 as reject_items.
CREATE OR REPLACE FUNCTION execute_payouts(
  p_payout_id text[], p_merchant_id uuid[], p_mode mode[], p_idempotency_key text[], p_reference text[], p_quote_id uuid[], p_wallet_user_id uuid[],
  p_recipient_account_id uuid[], p_amount bigint[], p_sender_currency text[], p_fee bigint[], p_rate numeric[], p_receiver_amount bigint[],
  p_receiver_currency text[], p_description text[], p_trx_id text[], p_transfer_id uuid[], p_needs_approval boolean[], p_metadata text[],
  p_traceparent text[])
RETURNS TABLE (replayed boolean, result payouts) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  size int := cardinality(p_payout_id);
  earlier_id text;
  started timestamptz;
  made payouts[];
  usable uuid[];
  rejected text[];
  refusal text;
BEGIN
  PERFORM bound_lock_waits(size);
  earlier_id := claim_idempotency_keys(p_merchant_id, p_mode, array_fill('execute_payout'::text, ARRAY[size]), p_idempotency_key,
    array_fill(''::bytea, ARRAY[size]), p_payout_id);
  IF earlier_id IS NOT NULL THEN
    RETURN QUERY SELECT true, p FROM payouts p WHERE p.id = earlier_id AND p.mode = p_mode[1] AND p.merchant_id = p_merchant_id[1];
    RETURN;
  END IF;
  started := clock_timestamp();
  -- The terms cannot change before these payouts are decided: a change waits, like the next payout's limit.
  PERFORM FROM payout_terms t
    JOIN (SELECT DISTINCT * FROM unnest(p_merchant_id, p_mode, p_sender_currency) AS asked (merchant_id, mode, currency)) asked
      USING (merchant_id, mode, currency)
    ORDER BY t.merchant_id, t.mode, t.currency FOR SHARE OF t;
  -- The rows come first: two payouts with one new reference at the same instant meet here, before another rule can refuse
  -- the second. Their transfers follow in this transaction (the foreign keys wait for the commit).
  WITH written AS (
    INSERT INTO payouts AS p (id, mode, merchant_id, reference, quote_id, wallet_user_id, recipient_account_id, amount, sender_currency, fee, rate,
                              receiver_amount, receiver_currency, description, metadata, traceparent, created_at, status,
                              hold_transfer_id, transfer_id, trx_id, processed_at)
    SELECT asked.id, asked.mode, asked.merchant_id, asked.reference, asked.quote_id, asked.wallet_user_id, asked.recipient_account_id, asked.amount,
           asked.sender_currency, asked.fee, asked.rate, asked.receiver_amount, asked.receiver_currency, asked.description, asked.metadata, asked.traceparent, started,
           CASE WHEN waits THEN 'pending'::payout_status ELSE 'completed' END, CASE WHEN waits THEN asked.transfer_id END,
           CASE WHEN NOT waits THEN asked.transfer_id END, CASE WHEN NOT waits THEN asked.trx_id END, CASE WHEN NOT waits THEN started END
    FROM unnest(p_payout_id, p_mode, p_merchant_id, p_reference, p_quote_id, p_wallet_user_id, p_recipient_account_id, p_amount, p_sender_currency,
                p_fee, p_rate, p_receiver_amount, p_receiver_currency, p_description, p_metadata, p_traceparent, p_trx_id, p_transfer_id,
                p_needs_approval)
      AS asked (id, mode, merchant_id, reference, quote_id, wallet_user_id, recipient_account_id, amount, sender_currency,
                fee, rate, receiver_amount, receiver_currency, description, metadata, traceparent, trx_id, transfer_id, needs_approval)
    LEFT JOIN payout_terms t ON t.merchant_id = asked.merchant_id AND t.mode = asked.mode AND t.currency = asked.sender_currency
    CROSS JOIN LATERAL (SELECT asked.needs_approval OR coalesce(asked.amount > t.review_above, false) AS waits) decided
    ORDER BY asked.merchant_id, asked.mode, asked.reference
    ON CONFLICT (merchant_id, mode, reference) DO NOTHING RETURNING p
  ) SELECT array_agg(p) INTO made FROM written;
  IF cardinality(made) IS DISTINCT FROM size THEN
    PERFORM reject_items(ARRAY(SELECT unnest(p_payout_id) EXCEPT SELECT id FROM unnest(made)), size, 'TG041', 'the reference is taken');
  END IF;
  IF cardinality(array_remove(p_quote_id, NULL)) > 0 THEN
    PERFORM FROM quotes WHERE id = ANY (p_quote_id) ORDER BY id FOR NO KEY UPDATE;
    WITH used AS (
      UPDATE quotes q SET used_at = least(clock_timestamp(), q.expires_at) FROM unnest(made) p
      WHERE q.id = p.quote_id AND q.merchant_id = p.merchant_id AND q.mode = p.mode AND q.used_at IS NULL AND q.expires_at > clock_timestamp()
      RETURNING q.id
    ) SELECT array_agg(id) INTO usable FROM used;
    PERFORM reject_items(ARRAY(SELECT id FROM unnest(made) WHERE quote_id IS NOT NULL AND (quote_id = ANY (usable)) IS NOT TRUE),
      size, 'TG040', 'the quote cannot be used');
  END IF;
  SELECT array_agg(id), min(code) INTO rejected, refusal FROM (
    SELECT p.id, CASE
        WHEN m.suspended_at IS NOT NULL THEN 'TG013'
        WHEN NOT u.active THEN 'TG045'
        WHEN t.authorized IS NOT TRUE THEN 'TG048'
        WHEN p.amount > t.per_transaction THEN 'TG047' END AS code
      FROM unnest(made) p JOIN merchants m ON m.id = p.merchant_id JOIN wallet_users u ON u.id = p.wallet_user_id
      LEFT JOIN payout_terms t ON t.merchant_id = p.merchant_id AND t.mode = p.mode AND t.currency = p.sender_currency
      ORDER BY m.id, u.id FOR SHARE OF m, u) AS judged WHERE code IS NOT NULL;
  PERFORM reject_items(rejected, size, refusal, 'suspended, deactivated, not authorised or above the limit of one payout');
  PERFORM take_usage(size, made);
  PERFORM book_transfers(size, ARRAY(
    SELECT (p.id, coalesce(p.hold_transfer_id, p.transfer_id), p.mode, CASE p.status WHEN 'pending' THEN 'hold'::transfer_kind ELSE 'payout' END,
            NULL, l.account_id, l.currency, l.amount)::booked_line
    FROM unnest(made) p, LATERAL unnest(CASE p.status
      WHEN 'pending' THEN lines_into_hold(p.mode, p.sender_currency, p.merchant_id, p.amount + p.fee)
      ELSE payout_lines(p, account_of(p.mode, p.sender_currency, 'merchant', p.merchant_id)) END) l));
  INSERT INTO events (mode, merchant_id, name, payout_id)
    SELECT mode, merchant_id, 'payout.completed', id FROM unnest(made) WHERE status = 'completed';
  PERFORM require_active_currencies(size, made);
  RETURN QUERY SELECT false, p FROM unnest(made) p;
END $$;
