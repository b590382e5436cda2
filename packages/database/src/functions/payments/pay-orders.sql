-- Pays one order or a group: PENDING becomes PAID, the money moves and `pos.order.paid` is written, all or nothing. Each argument has one
-- element per item. An order is paid from a wallet in its currency (p_payer_account_id), or as quoted from a wallet in another currency
-- (p_quote_id of shopper p_wallet_user_id). With p_top_up_transfer_id, the sandbox's issuing account first funds the paying wallet of the
-- merchant's test shopper. p_confirmation is a passkey confirmation (confirm_by_passkey), p_request_id the ID of the payment page's
-- request. Returns the paid orders. TG001, TG010, TG011 as in lock_payable_orders; TG014 as in enforce_link_limits; TG046: the quote is
-- expired, used, or not this shopper's for this order; TG024: the wallet is not a shopper's in the order's mode and currency, or the
-- shopper is deactivated; TG054 as in confirm_by_passkey; TG020, TG022 as in book_transfers; TG012: the merchant is suspended; TG080 as in
-- reject_items.
CREATE OR REPLACE FUNCTION pay_orders(
  p_order_id text[], p_mode mode[], p_payer_account_id uuid[], p_quote_id uuid[], p_wallet_user_id uuid[], p_trx_id text[], p_transfer_id uuid[],
  p_top_up_transfer_id uuid[], p_confirmation jsonb[] DEFAULT NULL, p_request_id text[] DEFAULT NULL)
RETURNS SETOF orders LANGUAGE plpgsql AS $$
DECLARE
  size int := cardinality(p_order_id);
  payable orders[];
  usable text[];
  o orders;
  item_at int;
BEGIN
  PERFORM begin_write(size);
  payable := lock_payable_orders(p_order_id, p_mode);
  PERFORM enforce_link_limits(p_order_id);
  IF cardinality(array_remove(p_quote_id, NULL)) > 0 THEN
    PERFORM FROM shopper_quotes WHERE id = ANY (p_quote_id) ORDER BY id FOR NO KEY UPDATE;
    WITH used AS (
      UPDATE shopper_quotes q SET used_at = least(clock_timestamp(), q.expires_at)
      FROM unnest(p_order_id, p_mode, p_quote_id, p_wallet_user_id) AS item (order_id, mode, quote_id, wallet_user_id)
      WHERE q.id = item.quote_id AND q.mode = item.mode AND q.order_id = item.order_id AND q.wallet_user_id = item.wallet_user_id
        AND q.used_at IS NULL AND q.expires_at > clock_timestamp()
      RETURNING q.order_id
    ) SELECT array_agg(order_id) INTO usable FROM used;
    PERFORM reject_items(ARRAY(SELECT order_id FROM unnest(p_order_id, p_quote_id) AS item (order_id, quote_id)
        WHERE quote_id IS NOT NULL AND (order_id = ANY (usable)) IS NOT TRUE),
      size, 'TG046', 'the quote cannot be used');
    PERFORM FROM wallet_users WHERE id = ANY (p_wallet_user_id) ORDER BY id FOR SHARE;
  END IF;
  -- LATERAL with LIMIT forces index lookups by id: a plan cached while there were few shoppers would scan them all.
  SELECT array_agg(item.order_id) INTO usable
    FROM unnest(p_order_id, p_payer_account_id, p_quote_id, p_wallet_user_id, p_top_up_transfer_id)
      AS item (order_id, payer_account_id, quote_id, wallet_user_id, top_up_transfer_id)
    JOIN unnest(payable) p ON p.id = item.order_id
    LEFT JOIN LATERAL (
      SELECT a.wallet_user_id FROM accounts a
      WHERE a.id = item.payer_account_id AND a.kind = 'shopper' AND a.mode = p.mode AND a.currency = p.currency LIMIT 1) a ON true
    CROSS JOIN LATERAL (
      SELECT FROM wallet_users u
      WHERE u.id = CASE WHEN item.quote_id IS NULL THEN a.wallet_user_id ELSE item.wallet_user_id END AND u.active AND u.mode = p.mode
        AND (item.top_up_transfer_id IS NULL OR u.test_of_merchant_id = p.merchant_id) LIMIT 1) u;
  IF cardinality(usable) IS DISTINCT FROM size THEN
    PERFORM reject_items(ARRAY(SELECT unnest(p_order_id) EXCEPT SELECT unnest(usable)), size, 'TG024', 'the wallet cannot pay the order');
  END IF;
  IF cardinality(array_remove(p_confirmation, NULL)) > 0 THEN
    PERFORM confirm_by_passkey(p_order_id, p_mode, p_payer_account_id, p_quote_id, p_confirmation);
  END IF;
  FOR at IN 1..size LOOP
    o := payable[at];
    item_at := array_position(p_order_id, o.id);
    o.payer_account_id := p_payer_account_id[item_at];
    o.payer_currency := o.currency;
    o.payer_amount := o.amount;
    o.quote_id := p_quote_id[item_at];
    IF o.quote_id IS NOT NULL THEN
      SELECT account_id, payer_currency, payer_amount INTO STRICT o.payer_account_id, o.payer_currency, o.payer_amount
        FROM shopper_quotes WHERE id = o.quote_id;
    END IF;
    o.trx_id := p_trx_id[item_at];
    o.transfer_id := p_transfer_id[item_at];
    o.pay_request_id := p_request_id[item_at];
    payable[at] := o;
  END LOOP;
  PERFORM book_transfers(size, ARRAY(
    SELECT (p.id, item.top_up_transfer_id, p.mode, 'top_up'::transfer_kind, 'top-up for ' || p.id, l.account_id, l.currency, l.amount)::booked_line
      FROM unnest(payable) p JOIN unnest(p_order_id, p_top_up_transfer_id) AS item (id, top_up_transfer_id) ON item.id = p.id,
        LATERAL unnest(top_up_lines(p)) l WHERE item.top_up_transfer_id IS NOT NULL
    UNION ALL
    SELECT (p.id, p.transfer_id, p.mode, 'payment', NULL, l.account_id, l.currency, l.amount)::booked_line
      FROM unnest(payable) p, LATERAL unnest(payment_lines(p)) l));
  IF size > 1 THEN
    -- reject_payment_to_suspended does not name the order.
    PERFORM reject_items(ARRAY(
        SELECT p.id FROM unnest(payable) p
        CROSS JOIN LATERAL (SELECT FROM merchants WHERE id = p.merchant_id AND suspended_at IS NOT NULL LIMIT 1) AS suspended),
      size, 'TG012', 'the merchant is suspended');
  END IF;
  -- ANY is an index condition in every plan. The join alone might scan a small table's index.
  RETURN QUERY
    UPDATE orders SET status = 'PAID', state = 'PAID', paid_at = clock_timestamp(), trx_id = p.trx_id, transfer_id = p.transfer_id,
        payer_account_id = p.payer_account_id, payer_currency = p.payer_currency, payer_amount = p.payer_amount, quote_id = p.quote_id,
        pay_request_id = p.pay_request_id, version = orders.version + 1
      FROM unnest(payable) p WHERE orders.id = p.id AND orders.id = ANY (p_order_id) RETURNING orders.*;
  INSERT INTO events (mode, merchant_id, name, order_id) SELECT mode, merchant_id, 'pos.order.paid', id FROM unnest(payable);
END $$;
