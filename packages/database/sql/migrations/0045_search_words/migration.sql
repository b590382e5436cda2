-- By which request an order was made, beside those that paid and cancelled it: no log of a merchant's calls has those of the payment page
-- and of the till.
ALTER TABLE "orders" ADD COLUMN     "create_request_id" TEXT;
-- The console's search: request ids, and the words of references, descriptions and names. A gin index keeps new words aside and puts many in at once,
-- so an order pays little for it.
CREATE FUNCTION search_words(p_merchant_id uuid, p_mode mode, p_texts text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
  SELECT array_to_tsvector(string_to_array(scope || replace(btrim(regexp_replace(lower(array_to_string(p_texts, ' ')), '[^[:alnum:]]+', ' ', 'g')), ' ', ' ' || scope), ' '))
  FROM (SELECT coalesce(right(p_merchant_id::text, 12), '') || CASE p_mode WHEN 'live' THEN 'l' ELSE 's' END || '_') AS of (scope)
$$;
CREATE INDEX orders_by_request ON orders USING gin ((ARRAY[create_request_id, pay_request_id, cancel_request_id]));
CREATE INDEX refunds_by_request ON refunds (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX audit_records_by_request ON audit_records ((details::json ->> 'request_id')) WHERE details::json ->> 'request_id' IS NOT NULL;
CREATE INDEX orders_by_word ON orders USING gin (search_words(merchant_id, mode, ARRAY[reference, order_number, description]));
CREATE INDEX refunds_by_word ON refunds USING gin (search_words(merchant_id, mode, ARRAY[reference, reason]));
CREATE INDEX payouts_by_word ON payouts USING gin (search_words(merchant_id, mode, ARRAY[reference, description]));
CREATE INDEX wallet_users_by_word ON wallet_users USING gin (search_words(NULL::uuid, mode, ARRAY[name]));
