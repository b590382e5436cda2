-- Books the payment of an order that is locked: from the payer's wallet to the merchant's, over the conversion position
-- where the currencies differ, and marks the order PAID with its event. Both wallets are locked by book_transfer, in the
-- order of their ids. TG020, TG022 as there.
CREATE OR REPLACE FUNCTION settle_payment(
  o orders, p_payer_account_id uuid, p_payer_currency text, p_payer_amount bigint, p_quote_id uuid, p_trx_id text, p_transfer_id uuid)
RETURNS orders LANGUAGE plpgsql AS $$
BEGIN
  o.payer_account_id := p_payer_account_id;
  o.payer_currency := p_payer_currency;
  o.payer_amount := p_payer_amount;
  PERFORM book_transfer(p_transfer_id, o.mode, 'payment', NULL, payment_lines(o));
  UPDATE orders SET status = 'PAID', state = 'PAID', paid_at = clock_timestamp(), trx_id = p_trx_id, transfer_id = p_transfer_id,
      payer_account_id = p_payer_account_id, payer_currency = p_payer_currency, payer_amount = p_payer_amount, quote_id = p_quote_id,
      version = version + 1
    WHERE id = o.id RETURNING * INTO o;
  PERFORM emit_event(o.mode, o.merchant_id, 'pos.order.paid', o.id);
  RETURN o;
END $$;
