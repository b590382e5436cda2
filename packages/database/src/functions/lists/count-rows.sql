-- Records how a statement that inserts or updates orders, refunds or payouts changes their number and total amount per state. It only
-- inserts, at most one row per merchant, mode, five-minute interval, state and currency, so transactions never contend. Until
-- roll_up_counters merges these rows, a total is the sum of them and the counters (day_counts, span_counts) or sums (day_sums,
-- quarter_hour_sums).
CREATE OR REPLACE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Orders are listed by `state`, refunds and payouts by `status`. Payouts are summed in the sender's currency. An INSERT has no OLD
  -- table, so it has its own branch.
  IF TG_TABLE_NAME = 'orders' AND TG_OP = 'INSERT' THEN
    INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, currency, change, amount)
      SELECT merchant_id, mode, 'order', five_minutes_of(created_at), state::text, currency, count(*), sum(amount) FROM after GROUP BY 1, 2, 4, 5, 6;
  ELSIF TG_TABLE_NAME = 'orders' THEN
    INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, currency, change, amount)
      SELECT merchant_id, mode, 'order', five_minutes_of(created_at), state::text, currency, sum(change), sum(change * amount) FROM (
        SELECT merchant_id, mode, created_at, state, currency, amount, -1 AS change FROM before
        UNION ALL SELECT merchant_id, mode, created_at, state, currency, amount, 1 FROM after) AS changed GROUP BY 1, 2, 4, 5, 6 HAVING sum(change) <> 0;
  ELSIF TG_TABLE_NAME = 'refunds' AND TG_OP = 'INSERT' THEN
    INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, currency, change, amount)
      SELECT merchant_id, mode, 'refund', five_minutes_of(created_at), status::text, currency, count(*), sum(amount) FROM after GROUP BY 1, 2, 4, 5, 6;
  ELSIF TG_TABLE_NAME = 'refunds' THEN
    INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, currency, change, amount)
      SELECT merchant_id, mode, 'refund', five_minutes_of(created_at), status::text, currency, sum(change), sum(change * amount) FROM (
        SELECT merchant_id, mode, created_at, status, currency, amount, -1 AS change FROM before
        UNION ALL SELECT merchant_id, mode, created_at, status, currency, amount, 1 FROM after) AS changed GROUP BY 1, 2, 4, 5, 6 HAVING sum(change) <> 0;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, currency, change, amount)
      SELECT merchant_id, mode, 'payout', five_minutes_of(created_at), status::text, sender_currency, count(*), sum(amount) FROM after GROUP BY 1, 2, 4, 5, 6;
  ELSE
    INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, currency, change, amount)
      SELECT merchant_id, mode, 'payout', five_minutes_of(created_at), status::text, sender_currency, sum(change), sum(change * amount) FROM (
        SELECT merchant_id, mode, created_at, status, sender_currency, amount, -1 AS change FROM before
        UNION ALL SELECT merchant_id, mode, created_at, status, sender_currency, amount, 1 FROM after) AS changed GROUP BY 1, 2, 4, 5, 6 HAVING sum(change) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER orders_inserted_are_counted AFTER INSERT ON orders REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER orders_changed_are_counted AFTER UPDATE ON orders REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER refunds_inserted_are_counted AFTER INSERT ON refunds REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER refunds_changed_are_counted AFTER UPDATE ON refunds REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER payouts_inserted_are_counted AFTER INSERT ON payouts REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER payouts_changed_are_counted AFTER UPDATE ON payouts REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
