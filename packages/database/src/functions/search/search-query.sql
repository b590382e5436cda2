-- What search_words must have for what a person typed: all of its words, the last one only as a beginning. Null where there is no word in it.
CREATE OR REPLACE FUNCTION search_query(p_merchant_id uuid, p_mode mode, p_typed text) RETURNS tsquery LANGUAGE sql STABLE AS $$
  SELECT string_agg(word || CASE word WHEN last THEN ':*' ELSE '' END, ' & ')::tsquery
  FROM unnest(tsvector_to_array(search_words(p_merchant_id, p_mode, ARRAY[p_typed]))) AS of (word),
    unnest(tsvector_to_array(search_words(p_merchant_id, p_mode, ARRAY[substring(p_typed from '[[:alnum:]]+[^[:alnum:]]*$')]))) AS at_the_end (last)
  WHERE p_typed ~ '[[:alnum:]]'
$$;
