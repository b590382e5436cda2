-- DropForeignKey
-- Implied by the key of the order or payout, which includes the merchant.
ALTER TABLE "events" DROP CONSTRAINT "events_merchant_id_fkey";

-- DropForeignKey
-- Implied by the key of the order, refund or payout. A check requires exactly one.
ALTER TABLE "idempotency_keys" DROP CONSTRAINT "idempotency_keys_merchant_id_fkey";
