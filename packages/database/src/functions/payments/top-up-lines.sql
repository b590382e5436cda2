-- Returns the lines that fund a sandbox test shopper's wallet, from the issuing account, with the amount that the shopper pays for the order.
CREATE OR REPLACE FUNCTION top_up_lines(o orders) RETURNS transfer_line[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY[
    (account_of(o.mode, o.payer_currency, 'issuing'), o.payer_currency, -o.payer_amount)::transfer_line,
    (o.payer_account_id, o.payer_currency, o.payer_amount)::transfer_line]
$$;
