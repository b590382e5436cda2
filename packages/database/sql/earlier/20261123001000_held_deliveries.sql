-- Built again with the value `held`: one that is added to a type cannot be used in the same transaction.
DROP INDEX deliveries_due, deliveries_queued;
ALTER TYPE delivery_status RENAME TO earlier_delivery_status;
CREATE TYPE "delivery_status" AS ENUM ('pending', 'queued', 'held', 'delivered', 'failed');
ALTER TABLE deliveries ALTER COLUMN status DROP DEFAULT, ALTER COLUMN status TYPE delivery_status USING status::text::delivery_status;
ALTER TABLE deliveries ALTER COLUMN status SET DEFAULT 'pending';
DROP TYPE earlier_delivery_status;
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_queued ON deliveries (next_attempt_at) WHERE status = 'queued';
