-- Ledger rule 9 with conversions. What a transfer must say is compared with what it says as a whole, so that a line too
-- many is found as well as one that is missing.

-- What a transfer says: each account's line, in one order. House accounts count by their kind, holds and wallets of a
-- merchant as its own.
CREATE FUNCTION payment_lines_missing(o orders) RETURNS boolean LANGUAGE sql STABLE AS $$
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

CREATE FUNCTION refund_lines_missing(r refunds, o orders) RETURNS boolean LANGUAGE sql STABLE AS $$
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

CREATE OR REPLACE FUNCTION require_order_report() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  expected text := CASE WHEN NEW.state = 'REFUNDED' THEN 'pos.order.refunded' ELSE 'pos.order.' || lower(NEW.status::text) END;
BEGIN
  IF NOT EXISTS (SELECT FROM events WHERE order_id = NEW.id AND name = expected) THEN
    RAISE EXCEPTION 'order % became % without the event %', NEW.id, NEW.state, expected USING ERRCODE = 'TG096';
  END IF;
  IF OLD.status = 'PENDING' AND NEW.status = 'PAID' AND payment_lines_missing(NEW) THEN
    RAISE EXCEPTION 'order % became PAID without its payment', NEW.id USING ERRCODE = 'TG096';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION require_refund_report() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o orders;
BEGIN
  IF NOT EXISTS (SELECT FROM events WHERE order_id = NEW.order_id AND name = 'refund.' || NEW.status
                 AND body::json -> 'data' ->> 'refund_id' = NEW.id) THEN
    RAISE EXCEPTION 'refund % became % without its event', NEW.id, NEW.status USING ERRCODE = 'TG096';
  END IF;
  IF NEW.status = 'completed' THEN
    SELECT * INTO STRICT o FROM orders WHERE id = NEW.order_id;
    IF refund_lines_missing(NEW, o) THEN
      RAISE EXCEPTION 'refund % completed without its transfer', NEW.id USING ERRCODE = 'TG096';
    END IF;
    -- The order's sums are those of the commit, so all of its refunds are looked at together.
    IF (SELECT sum(payer_amount) FROM refunds WHERE order_id = o.id) <> div(o.payer_amount::numeric * o.refunded, o.amount) THEN
      RAISE EXCEPTION 'the refunds of order % do not give back the payer''s share', o.id USING ERRCODE = 'TG096';
    END IF;
  END IF;
  RETURN NULL;
END $$;
