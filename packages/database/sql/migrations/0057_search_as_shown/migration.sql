-- The console's search finds what a screen shows: words whatever their accents, amounts, and the terminal of an order. Its indexes are
-- made again with these. An amount is a word of the index that is there: one of its own would be paid for by every order.
DROP INDEX orders_by_word;
DROP INDEX refunds_by_word;
DROP INDEX payouts_by_word;
DROP INDEX wallet_users_by_word;
DROP FUNCTION search_words(uuid, mode, text[]);
CREATE FUNCTION search_words(p_merchant_id uuid, p_mode mode, p_texts text[], p_amounts text[] DEFAULT '{}') RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
DECLARE
  scope text := coalesce(right(p_merchant_id::text, 12), '') || CASE p_mode WHEN 'live' THEN 'l' ELSE 's' END || '_';
  words text := array_to_string(p_texts, ' ');
  amounts text[] := '{}';
BEGIN
  -- Most texts are ASCII, and have none of this.
  IF octet_length(words) <> length(words) THEN
    words := normalize(regexp_replace(normalize(words, NFD), '[\u0300-\u036f]+', '', 'g'), NFC);
    words := translate(words, 'ØøŁłĐđÐðĦħŦŧı', 'OoLlDdDdHhTti');
    words := replace(replace(replace(replace(replace(words, 'ß', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe');
  END IF;
  words := btrim(regexp_replace(lower(words), '[^[:alnum:]]+', ' ', 'g'));
  IF length(words) > 200 THEN
    words := regexp_replace(words, '(\S{200})\S+', '\1', 'g');
  END IF;
  IF p_amounts <> '{}' THEN
    amounts := string_to_array(scope || '=' || array_to_string(p_amounts, ' ' || scope || '='), ' ');
  END IF;
  RETURN array_to_tsvector(string_to_array(scope || replace(words, ' ', ' ' || scope), ' ') || amounts);
END $$;
CREATE INDEX orders_by_word ON orders USING gin (search_words(merchant_id, mode, ARRAY[reference, order_number, description, terminal_id], ARRAY[currency::text || amount::text]));
CREATE INDEX refunds_by_word ON refunds USING gin (search_words(merchant_id, mode, ARRAY[reference, reason], ARRAY[currency::text || amount::text]));
CREATE INDEX payouts_by_word ON payouts USING gin (search_words(merchant_id, mode, ARRAY[reference, description],
  ARRAY[sender_currency::text || amount::text, sender_currency::text || (amount + fee)::text, receiver_currency::text || receiver_amount::text]));
CREATE INDEX wallet_users_by_word ON wallet_users USING gin (search_words(NULL::uuid, mode, ARRAY[name]));
