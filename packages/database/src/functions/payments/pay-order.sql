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
