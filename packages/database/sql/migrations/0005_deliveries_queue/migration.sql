-- `deliveries` becomes the queue of deliveries. What is due waits in the queue of its receiver, told apart by `queue_id` and
-- `lane_id` (choose_delivery_queue says how), and is leased while it is attempted: when the process dies, the lease ends and
-- another process takes it.
ALTER TABLE "deliveries"
  ADD COLUMN "merchant_id" UUID,
  ADD COLUMN "queue_id" UUID,
  ADD COLUMN "lane_id" UUID,
  ADD COLUMN "in_backlog" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "leased_by" UUID,
  ADD COLUMN "leased_at" TIMESTAMPTZ,
  ADD COLUMN "leased_until" TIMESTAMPTZ,
  ADD COLUMN "leased_as" TEXT,
  ADD COLUMN "leased_host" TEXT,
  ALTER COLUMN "status" SET DEFAULT 'queued';

-- As choose_delivery_queue and host_of_address choose for new ones.
UPDATE deliveries d SET
    merchant_id = e.merchant_id,
    queue_id = coalesce(d.receiver_id, md5(concat_ws(' ', e.merchant_id, d.mode, regexp_replace(lower(coalesce(
      substring(d.address FROM '^[A-Za-z][A-Za-z0-9+.-]*://([^/?#]+)'), 'no host')), ':(80|443)$', '')))::uuid)
  FROM events e WHERE e.id = d.event_id;
UPDATE deliveries SET lane_id = coalesce(receiver_id, md5(concat_ws(' ', queue_id, substring(address FROM '^[^?#]*')))::uuid);

ALTER TABLE "deliveries"
  ALTER COLUMN "merchant_id" SET NOT NULL,
  ALTER COLUMN "queue_id" SET NOT NULL,
  ALTER COLUMN "lane_id" SET NOT NULL;

DROP INDEX deliveries_queued;
-- What waits for its turn: by queue and lane, the backlog behind the rest, the oldest first.
CREATE INDEX deliveries_in_turn ON deliveries (queue_id, lane_id, in_backlog, next_attempt_at) WHERE status = 'queued' AND leased_until IS NULL;
-- What is being attempted, in all processes.
CREATE INDEX deliveries_leased ON deliveries (leased_until) WHERE leased_until IS NOT NULL;
DROP INDEX deliveries_waiting;
CREATE INDEX deliveries_waiting ON deliveries (receiver_id) WHERE status IN ('pending', 'queued', 'held') AND receiver_id IS NOT NULL;

-- Which queues and lanes answer, and how many slow failures came in a row. Before, a whole host was prompt or not.
DROP TABLE "delivery_hosts";
CREATE TABLE "delivery_lanes" (
    "id" UUID NOT NULL,
    "answers" BOOLEAN NOT NULL,
    "slow_in_row" SMALLINT NOT NULL DEFAULT 0,
    "changed_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "delivery_lanes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "delivery_lanes_changed_at_idx" ON "delivery_lanes"("changed_at");

-- The queue that stood behind this one.
DROP SCHEMA IF EXISTS pgboss CASCADE;
