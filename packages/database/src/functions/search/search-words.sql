-- The words of some texts as the console's search looks for them: in lower case and without accents, so that "amelie" finds Amélie, and
-- cut at 200 characters, far below what an index takes. Each begins with whose it is (a merchant's side, or a
-- mode where no merchant is given), so that a word that many merchants use costs each of them its own only. Amounts (currency and minor
-- units, EUR4150) are marked, so that no typed word is one. Indexes are made of it: what
-- changes here needs them made again by a migration. In plpgsql, as a call of it takes a third of what one of an SQL function takes, and
-- every order that is written calls it.
CREATE OR REPLACE FUNCTION search_words(p_merchant_id uuid, p_mode mode, p_texts text[], p_amounts text[] DEFAULT '{}') RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
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
