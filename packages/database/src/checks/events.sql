-- Checks on events. The name of an event determines whether it refers to an order, a refund, a payout or a wallet's daily report.
ALTER TABLE events
  ADD CONSTRAINT events_name_their_subject CHECK (CASE
    WHEN name LIKE 'pos.order.%' THEN order_id IS NOT NULL AND num_nonnulls(refund_id, payout_id, account_id, report_date) = 0
    WHEN name LIKE 'refund.%' THEN num_nonnulls(order_id, refund_id) = 2 AND num_nonnulls(payout_id, account_id, report_date) = 0
    WHEN name LIKE 'payout.%' THEN payout_id IS NOT NULL AND num_nonnulls(order_id, refund_id, account_id, report_date) = 0
    WHEN name = 'report.ready' THEN num_nonnulls(account_id, report_date) = 2 AND num_nonnulls(order_id, refund_id, payout_id) = 0
    ELSE false END);
