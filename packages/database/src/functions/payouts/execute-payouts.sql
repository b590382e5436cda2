-- Executes one payout or a group. If the caller (p_needs_approval) or the current terms require review, amount and fee are held until an
-- administrator approves or rejects the payout. Otherwise the recipient is paid and `payout.completed` is written. Each argument has one
-- element per item. Returns each payout and whether it is a repeat (single items only). A repeat returns the original without comparing
-- fields. TG040: the quote is used, expired or another merchant's; TG041: duplicate reference; TG042, TG043 as in take_usage; TG045: the
-- recipient is deactivated; TG013: the merchant is suspended; TG047: above the limit per payout; TG048: the sender currency is not
-- authorised; TG049, TG050 as in require_active_currencies; TG020, TG022 as in book_transfers; TG080 as in reject_items.
CREATE OR REPLACE FUNCTION execute_payouts(
  p_payout_id text[], p_merchant_id uuid[], p_mode mode[], p_idempotency_key text[], p_reference text[], p_quote_id uuid[], p_wallet_user_id uuid[],
  p_recipient_account_id uuid[], p_amount bigint[], p_sender_currency text[], p_fee bigint[], p_rate numeric[], p_receiver_amount bigint[],
  p_receiver_currency text[], p_description text[], p_trx_id text[], p_transfer_id uuid[], p_needs_approval boolean[], p_metadata text[],
  p_traceparent text[])
RETURNS TABLE (replayed boolean, result payouts) LANGUAGE plpgsql AS $$
DECLARE
  size int := cardinality(p_payout_id);
  earlier_id text;
  started timestamptz;
  inserted payouts[];
  usable uuid[];
  rejected text[];
  reject_code text;
BEGIN
  PERFORM begin_write(size);
  earlier_id := claim_idempotency_keys(p_merchant_id, p_mode, array_fill('execute_payout'::text, ARRAY[size]), p_idempotency_key,
    array_fill(''::bytea, ARRAY[size]), p_payout_id);
  IF earlier_id IS NOT NULL THEN
    RETURN QUERY SELECT true, p FROM payouts p WHERE p.id = earlier_id;
    RETURN;
  END IF;
  started := clock_timestamp();
  -- Locks the terms until these payouts are committed.
  PERFORM FROM payout_terms t
    JOIN (SELECT DISTINCT * FROM unnest(p_merchant_id, p_mode, p_sender_currency) AS item (merchant_id, mode, currency)) item
      USING (merchant_id, mode, currency)
    ORDER BY t.merchant_id, t.mode, t.currency FOR SHARE OF t;
  -- Inserts the rows first, so that concurrent payouts with one reference conflict here, before any other check. Their transfers follow
  -- in this transaction (require_payout_report and a deferred foreign key require them).
  WITH written AS (
    INSERT INTO payouts AS p (id, mode, merchant_id, reference, quote_id, wallet_user_id, recipient_account_id, amount, sender_currency, fee, rate,
                              receiver_amount, receiver_currency, description, metadata, traceparent, created_at, status,
                              hold_transfer_id, transfer_id, trx_id, processed_at)
    SELECT item.id, item.mode, item.merchant_id, item.reference, item.quote_id, item.wallet_user_id, item.recipient_account_id, item.amount,
           item.sender_currency, item.fee, item.rate, item.receiver_amount, item.receiver_currency, item.description, item.metadata, item.traceparent, started,
           CASE WHEN waits THEN 'pending'::payout_status ELSE 'completed' END, CASE WHEN waits THEN item.transfer_id END,
           CASE WHEN NOT waits THEN item.transfer_id END, CASE WHEN NOT waits THEN item.trx_id END, CASE WHEN NOT waits THEN started END
    FROM unnest(p_payout_id, p_mode, p_merchant_id, p_reference, p_quote_id, p_wallet_user_id, p_recipient_account_id, p_amount, p_sender_currency,
                p_fee, p_rate, p_receiver_amount, p_receiver_currency, p_description, p_metadata, p_traceparent, p_trx_id, p_transfer_id,
                p_needs_approval)
      AS item (id, mode, merchant_id, reference, quote_id, wallet_user_id, recipient_account_id, amount, sender_currency,
                fee, rate, receiver_amount, receiver_currency, description, metadata, traceparent, trx_id, transfer_id, needs_approval)
    LEFT JOIN payout_terms t ON t.merchant_id = item.merchant_id AND t.mode = item.mode AND t.currency = item.sender_currency
    CROSS JOIN LATERAL (SELECT item.needs_approval OR coalesce(item.amount > t.review_above, false) AS waits) decided
    ORDER BY item.merchant_id, item.mode, item.reference
    ON CONFLICT (merchant_id, mode, reference) DO NOTHING RETURNING p
  ) SELECT array_agg(p) INTO inserted FROM written;
  IF cardinality(inserted) IS DISTINCT FROM size THEN
    PERFORM reject_items(ARRAY(SELECT unnest(p_payout_id) EXCEPT SELECT id FROM unnest(inserted)), size, 'TG041', 'the reference is already used');
  END IF;
  IF cardinality(array_remove(p_quote_id, NULL)) > 0 THEN
    PERFORM FROM quotes WHERE id = ANY (p_quote_id) ORDER BY id FOR NO KEY UPDATE;
    WITH used AS (
      UPDATE quotes q SET used_at = least(clock_timestamp(), q.expires_at) FROM unnest(inserted) p
      WHERE q.id = p.quote_id AND q.merchant_id = p.merchant_id AND q.mode = p.mode AND q.used_at IS NULL AND q.expires_at > clock_timestamp()
      RETURNING q.id
    ) SELECT array_agg(id) INTO usable FROM used;
    PERFORM reject_items(ARRAY(SELECT id FROM unnest(inserted) WHERE quote_id IS NOT NULL AND (quote_id = ANY (usable)) IS NOT TRUE),
      size, 'TG040', 'the quote cannot be used');
  END IF;
  -- Materialized, because a condition on a subquery is applied before its rows are locked, so the rows of accepted payouts would not be
  -- locked. ANY is an index condition in every plan. A join, planned while there were few merchants, would scan them all.
  WITH m AS MATERIALIZED (SELECT id, suspended_at FROM merchants WHERE id = ANY (p_merchant_id) ORDER BY id FOR SHARE),
  u AS MATERIALIZED (SELECT id, active FROM wallet_users WHERE id = ANY (p_wallet_user_id) ORDER BY id FOR SHARE),
  judged AS MATERIALIZED (
    SELECT p.id, CASE
        WHEN m.suspended_at IS NOT NULL THEN 'TG013'
        WHEN NOT u.active THEN 'TG045'
        WHEN t.authorized IS NOT TRUE THEN 'TG048'
        WHEN p.amount > t.per_transaction THEN 'TG047' END AS code
      FROM unnest(inserted) p JOIN m ON m.id = p.merchant_id JOIN u ON u.id = p.wallet_user_id
      LEFT JOIN payout_terms t ON t.merchant_id = p.merchant_id AND t.mode = p.mode AND t.currency = p.sender_currency
  ) SELECT array_agg(id), min(code) INTO rejected, reject_code FROM judged WHERE code IS NOT NULL;
  PERFORM reject_items(rejected, size, reject_code, 'suspended, deactivated, not authorised or above the limit of one payout');
  PERFORM take_usage(size, inserted);
  PERFORM book_transfers(size, ARRAY(
    SELECT (p.id, coalesce(p.hold_transfer_id, p.transfer_id), p.mode, CASE p.status WHEN 'pending' THEN 'hold'::transfer_kind ELSE 'payout' END,
            NULL, l.account_id, l.currency, l.amount)::booked_line
    FROM unnest(inserted) p, LATERAL unnest(CASE p.status
      WHEN 'pending' THEN lines_into_hold(p.mode, p.sender_currency, p.merchant_id, p.amount + p.fee)
      ELSE payout_lines(p, account_of(p.mode, p.sender_currency, 'merchant', p.merchant_id)) END) l));
  INSERT INTO events (mode, merchant_id, name, payout_id)
    SELECT mode, merchant_id, 'payout.completed', id FROM unnest(inserted) WHERE status = 'completed';
  PERFORM require_active_currencies(size, inserted);
  RETURN QUERY SELECT false, p FROM unnest(inserted) p;
END $$;
