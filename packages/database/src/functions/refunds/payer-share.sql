-- The amount that a refund of p_amount gives back in the payer's currency, for a locked order. All refunds together have
-- given back floor(paid × refunded ÷ amount), so that the last one returns the rest exactly.
CREATE OR REPLACE FUNCTION payer_share(o orders, p_amount bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (div(o.payer_amount::numeric * (o.refunded + p_amount), o.amount) - div(o.payer_amount::numeric * o.refunded, o.amount))::bigint
$$;
