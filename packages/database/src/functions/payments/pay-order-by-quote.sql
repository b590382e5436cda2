-- A shopper pays an order from a wallet in another currency, exactly as quoted. The quote is taken under the order's lock,
-- in this transaction: a refused payment does not change it. TG001, TG010, TG011 as lock_payable_order; TG046: the quote is
-- expired, used, or not this shopper's for this order; TG024: the shopper was deactivated; TG020, TG022 as book_transfer.
CREATE OR REPLACE FUNCTION pay_order_by_quote(
  p_order_id text, p_mode mode, p_quote_id uuid, p_wallet_user_id uuid, p_trx_id text, p_transfer_id uuid)
RETURNS orders LANGUAGE plpgsql AS $$
DECLARE
  o orders := lock_payable_order(p_order_id, p_mode);
  q shopper_quotes;
BEGIN
  UPDATE shopper_quotes SET used_at = least(clock_timestamp(), expires_at)
    WHERE id = p_quote_id AND mode = o.mode AND order_id = o.id AND wallet_user_id = p_wallet_user_id
      AND used_at IS NULL AND expires_at > clock_timestamp()
    RETURNING * INTO q;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'quote % cannot be used', p_quote_id USING ERRCODE = 'TG046';
  END IF;
  PERFORM FROM wallet_users WHERE id = p_wallet_user_id AND mode = o.mode AND active FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'wallet user % is deactivated', p_wallet_user_id USING ERRCODE = 'TG024';
  END IF;
  RETURN settle_payment(o, q.account_id, q.payer_currency, q.payer_amount, q.id, p_trx_id, p_transfer_id);
END $$;
