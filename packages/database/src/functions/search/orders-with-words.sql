-- Returns the IDs of at most p_limit orders of a merchant that match a search_query. The settings force the use of the word index and a single
-- process.
CREATE OR REPLACE FUNCTION orders_with_words(p_merchant_id uuid, p_mode mode, p_words tsquery, p_limit int) RETURNS SETOF text LANGUAGE sql STABLE
SET enable_seqscan = off SET max_parallel_workers_per_gather = 0 AS $$
  SELECT id FROM (
    SELECT id, merchant_id, mode FROM orders WHERE search_words(merchant_id, mode, ARRAY[reference, order_number, description, terminal_id], ARRAY[currency::text || amount::text]) @@ p_words LIMIT p_limit) AS found
  WHERE merchant_id = p_merchant_id AND mode = p_mode
$$;
