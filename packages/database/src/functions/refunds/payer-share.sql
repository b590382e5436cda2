-- The payer's share of a refund of p_amount, for a locked order. In total floor(paid × refunded ÷ amount) is returned, so the last refund
-- returns the exact remainder.
CREATE OR REPLACE FUNCTION payer_share(o orders, p_amount bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (div(o.payer_amount::numeric * (o.refunded + p_amount), o.amount) - div(o.payer_amount::numeric * o.refunded, o.amount))::bigint
$$;
