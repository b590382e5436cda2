-- Checks on idempotency_keys: an order, a refund or a payout, which the operation decides.
ALTER TABLE idempotency_keys
  ADD CONSTRAINT idempotency_keys_name_one CHECK (num_nonnulls(order_id, refund_id, payout_id) = 1);
