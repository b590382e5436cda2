CREATE UNIQUE INDEX fee_schedules_one_per_merchant ON fee_schedules (merchant_id, mode, currency) WHERE merchant_id IS NOT NULL;
CREATE UNIQUE INDEX fee_schedules_one_default ON fee_schedules (mode, currency) WHERE merchant_id IS NULL;

-- Payouts that wait for an administrator.
CREATE INDEX payouts_pending ON payouts (created_at) WHERE status = 'pending';
CREATE INDEX refunds_pending ON refunds (created_at) WHERE status = 'pending';

-- One transfer settles one payout; what is held is held for one payout or refund.
CREATE UNIQUE INDEX payouts_one_per_transfer ON payouts (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE UNIQUE INDEX payouts_one_per_hold ON payouts (hold_transfer_id) WHERE hold_transfer_id IS NOT NULL;
CREATE UNIQUE INDEX refunds_one_per_hold ON refunds (hold_transfer_id) WHERE hold_transfer_id IS NOT NULL;

-- A payout is written before its transfer, in the same transaction.
ALTER TABLE payouts ALTER CONSTRAINT payouts_transfer_id_mode_fkey DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE payouts ALTER CONSTRAINT payouts_hold_transfer_id_mode_fkey DEFERRABLE INITIALLY DEFERRED;
