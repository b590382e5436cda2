-- Whether an order's payment lacks a line or has one too many. What the transfer must say is compared with what it says as a
-- whole. House accounts count by their kind, holds and wallets of a merchant as its own.
CREATE OR REPLACE FUNCTION payment_lines_missing(o orders) RETURNS boolean LANGUAGE sql STABLE AS $$
  WITH wanted (owner, currency, amount) AS (
    SELECT 'payer', o.payer_currency, -o.payer_amount UNION ALL SELECT 'merchant', o.currency, o.amount
    UNION ALL SELECT 'fx', o.payer_currency, o.payer_amount WHERE o.payer_currency <> o.currency
    UNION ALL SELECT 'fx', o.currency, -o.amount WHERE o.payer_currency <> o.currency),
  said AS (
    SELECT CASE WHEN a.id = o.payer_account_id AND a.kind = 'shopper' THEN 'payer' WHEN a.merchant_id = o.merchant_id AND a.kind = 'merchant' THEN 'merchant'
        ELSE a.kind::text END AS owner, e.currency::text, e.amount
    FROM transfers t JOIN entries e ON e.transfer_id = t.id JOIN accounts a ON a.id = e.account_id WHERE t.id = o.transfer_id AND t.kind = 'payment')
  SELECT EXISTS (SELECT * FROM wanted EXCEPT ALL SELECT * FROM said) OR EXISTS (SELECT * FROM said EXCEPT ALL SELECT * FROM wanted)
    OR (o.quote_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM shopper_quotes q WHERE q.id = o.quote_id AND q.order_id = o.id AND q.account_id = o.payer_account_id
        AND q.payer_amount = o.payer_amount AND q.used_at IS NOT NULL))
$$;
