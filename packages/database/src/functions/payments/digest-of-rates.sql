-- Returns the SHA-256, in hex, of the rates of a mode that this transaction has written, for the audit record of an import.
CREATE OR REPLACE FUNCTION digest_of_rates(p_mode mode) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(string_agg(
      concat_ws(' ', base, quote, trim_scale(rate), trim_scale(spread_percent), extract(epoch FROM effective_from)), E'\n'
      ORDER BY base, quote, effective_from, rate, spread_percent), 'UTF8')), 'hex')
  FROM exchange_rates WHERE created_at >= transaction_timestamp() AND mode = p_mode AND xmin = pg_current_xact_id()::xid
$$;
