-- Checks on idempotency_keys: the operation determines the kind of resource.
ALTER TABLE idempotency_keys
  ADD CONSTRAINT idempotency_keys_name_one CHECK (num_nonnulls(order_id, refund_id, payout_id) = 1);
