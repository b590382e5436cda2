-- Checks on events. The name of an event determines whether it refers to an order, a refund or a payout.
ALTER TABLE events
  ADD CONSTRAINT events_name_their_subject CHECK (CASE
    WHEN name LIKE 'pos.order.%' THEN order_id IS NOT NULL AND refund_id IS NULL AND payout_id IS NULL
    WHEN name LIKE 'refund.%' THEN order_id IS NOT NULL AND refund_id IS NOT NULL AND payout_id IS NULL
    WHEN name LIKE 'payout.%' THEN order_id IS NULL AND refund_id IS NULL AND payout_id IS NOT NULL
    ELSE false END);
