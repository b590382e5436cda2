-- Enforces the use limits of the orders' payment links. A use counts once its order is paid. Links stay locked until commit, so that the
-- second of two payments for the last use waits and is rejected. TG014: no uses left; TG080 as in reject_items.
CREATE OR REPLACE FUNCTION enforce_link_limits(p_order_id text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  limited uuid[];
BEGIN
  SELECT array_agg(l.id) INTO limited FROM payment_links l
    WHERE l.max_uses IS NOT NULL AND l.id IN (SELECT u.link_id FROM payment_link_orders u WHERE u.order_id = ANY (p_order_id));
  -- Most payments have no limited link.
  IF limited IS NULL THEN
    RETURN;
  END IF;
  PERFORM FROM payment_links WHERE id = ANY (limited) ORDER BY id FOR NO KEY UPDATE;
  PERFORM reject_items(ARRAY(
      SELECT item.order_id FROM (
        SELECT u.order_id, u.link_id, row_number() OVER (PARTITION BY u.link_id ORDER BY u.order_id) AS place
          FROM payment_link_orders u WHERE u.order_id = ANY (p_order_id)) item
        JOIN payment_links l ON l.id = item.link_id
      WHERE item.place + (SELECT count(*) FROM payment_link_orders u JOIN orders o ON o.id = u.order_id
          WHERE u.link_id = l.id AND o.status = 'PAID') > l.max_uses),
    cardinality(p_order_id), 'TG014', 'the payment link is used up');
END $$;
