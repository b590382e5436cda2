-- Returns the tsquery for typed text. It matches all words, the last word as a prefix, or one of the amounts that the text may mean. It is empty
-- if the text contains no letter or digit and there is no amount.
CREATE OR REPLACE FUNCTION search_query(p_merchant_id uuid, p_mode mode, p_typed text, p_amounts text[] DEFAULT '{}') RETURNS tsquery LANGUAGE sql STABLE AS $$
  SELECT concat_ws(' | ', '(' || string_agg(word || CASE word WHEN last THEN ':*' ELSE '' END, ' & ') || ')',
    (SELECT string_agg(quote_literal(amount), ' | ') FROM unnest(tsvector_to_array(search_words(p_merchant_id, p_mode, '{}', p_amounts))) AS of (amount)
     WHERE p_amounts <> '{}' AND amount LIKE '%=%'))::tsquery
  FROM unnest(tsvector_to_array(search_words(p_merchant_id, p_mode, ARRAY[p_typed]))) AS of (word),
    unnest(tsvector_to_array(search_words(p_merchant_id, p_mode, ARRAY[substring(p_typed from '[[:alnum:]]+[^[:alnum:]]*$')]))) AS at_the_end (last)
  WHERE p_typed ~ '[[:alnum:]]'
$$;
