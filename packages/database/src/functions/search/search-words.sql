-- The words of some texts, in lower case, as the console's search looks for them: each begins with whose it is (a merchant's side, or a
-- mode where no merchant is given), so that a word that many merchants use costs each of them its own only. Indexes are made of it: what
-- changes here needs them made again by a migration. In plpgsql, as a call of it takes a third of what one of an SQL function takes, and
-- every order that is written calls it.
CREATE OR REPLACE FUNCTION search_words(p_merchant_id uuid, p_mode mode, p_texts text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
DECLARE
  scope text := coalesce(right(p_merchant_id::text, 12), '') || CASE p_mode WHEN 'live' THEN 'l' ELSE 's' END || '_';
BEGIN
  RETURN array_to_tsvector(string_to_array(scope || replace(btrim(regexp_replace(lower(array_to_string(p_texts, ' ')), '[^[:alnum:]]+', ' ', 'g')), ' ', ' ' || scope), ' '));
END $$;
