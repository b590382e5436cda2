-- Whether a refund's transfer lacks a line or has one too many; as payment_lines_missing.
CREATE OR REPLACE FUNCTION refund_lines_missing(r refunds, o orders) RETURNS boolean LANGUAGE sql STABLE AS $$
  WITH wanted (owner, currency, amount) AS (
    SELECT 'merchant', o.currency, -r.amount UNION ALL SELECT 'payer', o.payer_currency, r.payer_amount WHERE r.payer_amount > 0
    UNION ALL SELECT 'fx', o.currency, r.amount WHERE o.payer_currency <> o.currency
    UNION ALL SELECT 'fx', o.payer_currency, -r.payer_amount WHERE o.payer_currency <> o.currency AND r.payer_amount > 0),
  said AS (
    SELECT CASE WHEN a.id = o.payer_account_id THEN 'payer' WHEN a.merchant_id = o.merchant_id THEN 'merchant' ELSE a.kind::text END AS owner,
      e.currency::text, e.amount
    FROM transfers t JOIN entries e ON e.transfer_id = t.id JOIN accounts a ON a.id = e.account_id WHERE t.id = r.transfer_id AND t.kind = 'refund')
  SELECT r.currency <> o.currency OR r.merchant_id <> o.merchant_id
    OR EXISTS (SELECT * FROM wanted EXCEPT ALL SELECT * FROM said) OR EXISTS (SELECT * FROM said EXCEPT ALL SELECT * FROM wanted)
$$;
