-- Returns what the payer receives, in minor units of the payer's currency, for a refund of p_amount (minor units of the order's currency), given
-- what has already been refunded. The caller has locked the order. All refunds together return floor(paid × refunded ÷ amount), so the last
-- refund returns the exact remainder.
CREATE OR REPLACE FUNCTION payer_share(o orders, p_amount bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (div(o.payer_amount::numeric * (o.refunded + p_amount), o.amount) - div(o.payer_amount::numeric * o.refunded, o.amount))::bigint
$$;
