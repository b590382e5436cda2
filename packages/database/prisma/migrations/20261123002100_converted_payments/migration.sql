-- Books the payment of an order that is locked: from the payer's wallet to the merchant's, over the conversion position
-- where the currencies differ, and marks the order PAID with its event. Both wallets are locked by book_transfer, in the
-- order of their ids. TG020, TG022 as there.
CREATE FUNCTION settle_payment(
  o orders, p_payer_account_id uuid, p_payer_currency text, p_payer_amount bigint, p_quote_id uuid, p_trx_id text, p_transfer_id uuid)
RETURNS orders LANGUAGE plpgsql AS $$
DECLARE
  lines transfer_line[] := ARRAY[
    (p_payer_account_id, p_payer_currency, -p_payer_amount)::transfer_line,
    (account_of(o.mode, o.currency, 'merchant', o.merchant_id), o.currency, o.amount)::transfer_line];
BEGIN
  IF p_payer_currency <> o.currency THEN
    lines := lines
      || (account_of(o.mode, p_payer_currency, 'fx'), p_payer_currency, p_payer_amount)::transfer_line
      || (account_of(o.mode, o.currency, 'fx'), o.currency, -o.amount)::transfer_line;
  END IF;
  PERFORM book_transfer(p_transfer_id, o.mode, 'payment', NULL, lines);
  UPDATE orders SET status = 'PAID', state = 'PAID', paid_at = clock_timestamp(), trx_id = p_trx_id, transfer_id = p_transfer_id,
      payer_account_id = p_payer_account_id, payer_currency = p_payer_currency, payer_amount = p_payer_amount, quote_id = p_quote_id,
      version = version + 1
    WHERE id = o.id RETURNING * INTO o;
  PERFORM emit_order_event(o, 'pos.order.paid');
  RETURN o;
END $$;

-- A shopper's wallet in the order's currency pays an order: PENDING becomes PAID, the money moves, `pos.order.paid` is
-- written, all or nothing. With p_top_up_transfer_id the paying wallet is first filled with the order's amount from the
-- sandbox's issuing account (the test shopper of "Approve").
-- TG001, TG010, TG011 as lock_payable_order; TG020, TG022 as book_transfer; TG024: not a wallet that can pay this order.
CREATE OR REPLACE FUNCTION pay_order(
  p_order_id text, p_mode mode, p_payer_account_id uuid, p_trx_id text, p_transfer_id uuid, p_top_up_transfer_id uuid)
RETURNS orders LANGUAGE plpgsql AS $$
DECLARE
  o orders := lock_payable_order(p_order_id, p_mode);
BEGIN
  -- The payer is locked together with the merchant's wallet, so that a top-up does not upset the order of locks.
  PERFORM FROM accounts WHERE id IN (p_payer_account_id, account_of(o.mode, o.currency, 'merchant', o.merchant_id)) ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM accounts JOIN wallet_users ON wallet_users.id = accounts.wallet_user_id
    WHERE accounts.id = p_payer_account_id AND accounts.kind = 'shopper' AND accounts.mode = o.mode AND accounts.currency = o.currency
      AND wallet_users.active AND (p_top_up_transfer_id IS NULL OR wallet_users.test_of_merchant_id = o.merchant_id);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'account % cannot pay order %', p_payer_account_id, o.id USING ERRCODE = 'TG024';
  END IF;
  IF p_top_up_transfer_id IS NOT NULL THEN
    PERFORM move_between_wallets(p_top_up_transfer_id, o.mode, 'top_up', o.currency, account_of(o.mode, o.currency, 'issuing'),
      p_payer_account_id, o.amount, 'top-up for ' || o.id);
  END IF;
  RETURN settle_payment(o, p_payer_account_id, o.currency, o.amount, NULL, p_trx_id, p_transfer_id);
END $$;

-- A shopper pays an order from a wallet in another currency, exactly as quoted. The quote is taken under the order's lock,
-- in this transaction: a payment that is refused leaves it as it was.
-- TG001, TG010, TG011 as lock_payable_order; TG046: the quote is expired, used, or not this shopper's for this order;
-- TG024: the shopper was deactivated; TG020, TG022 as book_transfer.
CREATE FUNCTION pay_order_by_quote(
  p_order_id text, p_mode mode, p_quote_id uuid, p_wallet_user_id uuid, p_trx_id text, p_transfer_id uuid)
RETURNS orders LANGUAGE plpgsql AS $$
DECLARE
  o orders := lock_payable_order(p_order_id, p_mode);
  q shopper_quotes;
BEGIN
  UPDATE shopper_quotes SET used_at = clock_timestamp()
    WHERE id = p_quote_id AND mode = o.mode AND order_id = o.id AND wallet_user_id = p_wallet_user_id
      AND used_at IS NULL AND expires_at > clock_timestamp()
    RETURNING * INTO q;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'quote % cannot be used', p_quote_id USING ERRCODE = 'TG046';
  END IF;
  PERFORM FROM wallet_users WHERE id = p_wallet_user_id AND mode = o.mode AND active FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'wallet user % is deactivated', p_wallet_user_id USING ERRCODE = 'TG024';
  END IF;
  RETURN settle_payment(o, q.account_id, q.payer_currency, q.payer_amount, q.id, p_trx_id, p_transfer_id);
END $$;
