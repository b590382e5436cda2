-- Books the payment of an order that is locked: from the payer's wallet to the merchant's, over the conversion position
-- where the currencies differ, and marks the order PAID with its event. Both wallets are locked by book_transfer, in the
-- order of their ids. TG020, TG022 as there.
CREATE OR REPLACE FUNCTION settle_payment(
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
