-- The lines that fill the wallet of an order's payer, the sandbox's test shopper, with the order's amount.
CREATE OR REPLACE FUNCTION top_up_lines(o orders) RETURNS transfer_line[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY[
    (account_of(o.mode, o.currency, 'issuing'), o.currency, -o.amount)::transfer_line,
    (o.payer_account_id, o.currency, o.amount)::transfer_line]
$$;
