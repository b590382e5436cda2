-- Which receivers' hosts answer promptly. Only a host that has shown it may hold many places of the delivery workers; one
-- that nobody has heard of yet, and one that hung, share a bounded part of them. It is about time, not about success: a
-- host shared by many merchants answers 404 for one of them at once, and holds up nobody.
CREATE TABLE "delivery_hosts" (
    "host" TEXT NOT NULL,
    "prompt" BOOLEAN NOT NULL,
    "changed_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "delivery_hosts_pkey" PRIMARY KEY ("host")
);
CREATE INDEX "delivery_hosts_changed_at_idx" ON "delivery_hosts"("changed_at");
