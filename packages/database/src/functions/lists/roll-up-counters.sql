-- Merges up to p_limit rows of count_deltas into the counters and sums, and returns how many. One statement deletes and adds them, so that
-- every snapshot counts each row once. Only one transaction at a time merges rows. A concurrent call returns 0.
CREATE OR REPLACE FUNCTION roll_up_counters(p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  folded int;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('tillgate folding of counts')) THEN
    RETURN 0;
  END IF;
  WITH taken AS (
    DELETE FROM count_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM count_deltas LIMIT p_limit)) RETURNING *),
  days AS (
    INSERT INTO day_counts AS c (merchant_id, mode, kind, day, status, count)
      SELECT merchant_id, mode, kind, (starts_at AT TIME ZONE 'UTC')::date, status, sum(change) FROM taken GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
      ON CONFLICT (merchant_id, mode, kind, day, status) DO UPDATE SET count = c.count + EXCLUDED.count),
  spans AS (
    INSERT INTO span_counts AS c (merchant_id, mode, kind, starts_at, status, count)
      SELECT merchant_id, mode, kind, span_of(starts_at), status, sum(change) FROM taken GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
      ON CONFLICT (merchant_id, mode, kind, starts_at, status) DO UPDATE SET count = c.count + EXCLUDED.count),
  quarters AS (
    INSERT INTO quarter_hour_sums AS c (merchant_id, mode, kind, starts_at, status, currency, count, amount)
      SELECT merchant_id, mode, kind, quarter_hour_of(starts_at), status, currency, sum(change), sum(amount) FROM taken
      GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(change) <> 0 OR sum(amount) <> 0
      ON CONFLICT (merchant_id, mode, kind, starts_at, status, currency)
        DO UPDATE SET count = c.count + EXCLUDED.count, amount = c.amount + EXCLUDED.amount),
  sums AS (
    INSERT INTO day_sums AS c (merchant_id, mode, kind, day, status, currency, amount)
      SELECT merchant_id, mode, kind, (starts_at AT TIME ZONE 'UTC')::date, status, currency, sum(amount) FROM taken
      GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(amount) <> 0
      ON CONFLICT (merchant_id, mode, kind, day, status, currency) DO UPDATE SET amount = c.amount + EXCLUDED.amount)
  SELECT count(*) INTO folded FROM taken;
  RETURN folded;
END $$;
