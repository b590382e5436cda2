-- A shopper's wallet pays an order: PENDING becomes PAID, the money moves, `pos.order.paid` is written, all or nothing.
-- With p_top_up_transfer_id the paying wallet is first filled with the order's amount from the sandbox's issuing account
-- (the test shopper of "Approve").
-- TG001, TG010, TG011 as lock_payable_order; TG020, TG022 as move_between_wallets; TG024: not a wallet that can pay this order.
CREATE FUNCTION pay_order(
  p_order_id text, p_mode mode, p_payer_account_id uuid, p_trx_id text, p_transfer_id uuid, p_top_up_transfer_id uuid)
RETURNS orders LANGUAGE plpgsql AS $$
DECLARE
  o orders := lock_payable_order(p_order_id, p_mode);
  merchant_account uuid;
  issuing_account uuid;
BEGIN
  SELECT id INTO STRICT merchant_account FROM accounts
    WHERE merchant_id = o.merchant_id AND mode = o.mode AND currency = o.currency AND kind = 'merchant';
  -- The payer is locked together with the merchant's wallet, so that a top-up does not upset the order of locks.
  PERFORM FROM accounts WHERE id IN (p_payer_account_id, merchant_account) ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM accounts JOIN wallet_users ON wallet_users.id = accounts.wallet_user_id
    WHERE accounts.id = p_payer_account_id AND accounts.kind = 'shopper' AND accounts.mode = o.mode AND accounts.currency = o.currency
      AND wallet_users.active AND (p_top_up_transfer_id IS NULL OR wallet_users.test_of_merchant_id = o.merchant_id);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'account % cannot pay order %', p_payer_account_id, o.id USING ERRCODE = 'TG024';
  END IF;
  IF p_top_up_transfer_id IS NOT NULL THEN
    SELECT id INTO STRICT issuing_account FROM accounts WHERE mode = o.mode AND currency = o.currency AND kind = 'issuing';
    PERFORM move_between_wallets(p_top_up_transfer_id, o.mode, 'top_up', o.currency, issuing_account, p_payer_account_id, o.amount, 'top-up for ' || o.id);
  END IF;
  PERFORM move_between_wallets(p_transfer_id, o.mode, 'payment', o.currency, p_payer_account_id, merchant_account, o.amount, NULL);
  UPDATE orders SET status = 'PAID', state = 'PAID', paid_at = clock_timestamp(), trx_id = p_trx_id, transfer_id = p_transfer_id,
      payer_account_id = p_payer_account_id, version = version + 1
    WHERE id = o.id RETURNING * INTO o;
  PERFORM emit_order_event(o, 'pos.order.paid');
  RETURN o;
END $$;
