-- How a merchant's endpoint is: paused by its owner, disabled by Tillgate, removed, and how its deliveries went. A
-- rotation keeps the old secret beside the new one until the overlap ends.
ALTER TABLE "receivers"
  ADD COLUMN "deliveries_lag" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "disabled_reason" TEXT,
  ADD COLUMN "failing_since" TIMESTAMPTZ,
  ADD COLUMN "failures_in_row" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "last_failure_at" TIMESTAMPTZ,
  ADD COLUMN "last_failure_kind" TEXT,
  ADD COLUMN "last_failure_status" INTEGER,
  ADD COLUMN "last_success_at" TIMESTAMPTZ,
  ADD COLUMN "paused_at" TIMESTAMPTZ,
  ADD COLUMN "previous_encryption_key_id" TEXT,
  ADD COLUMN "previous_secret_ciphertext" BYTEA,
  ADD COLUMN "previous_secret_expires_at" TIMESTAMPTZ,
  ADD COLUMN "removed_at" TIMESTAMPTZ,
  ADD COLUMN "warned_at" TIMESTAMPTZ;

UPDATE receivers SET disabled_reason = 'gone' WHERE disabled_at IS NOT NULL;

ALTER TABLE receivers
  ADD CONSTRAINT receivers_disabled_for_a_reason CHECK (
    (disabled_at IS NULL) = (disabled_reason IS NULL) AND disabled_reason IN ('gone', 'failing', 'administrator')),
  ADD CONSTRAINT receivers_streak CHECK (
    failures_in_row >= 0 AND (failures_in_row = 0) = (failing_since IS NULL) AND (warned_at IS NULL OR failures_in_row > 0)),
  ADD CONSTRAINT receivers_previous_secret CHECK (
    (previous_secret_ciphertext IS NULL) = (previous_encryption_key_id IS NULL)
    AND (previous_secret_ciphertext IS NULL) = (previous_secret_expires_at IS NULL));

-- A merchant has one endpoint an address; a removed one no longer counts.
CREATE UNIQUE INDEX receivers_one_per_address ON receivers (merchant_id, mode, address) WHERE removed_at IS NULL;
CREATE INDEX receivers_lagging ON receivers (id) WHERE deliveries_lag;

-- What a merchant should know and no event can tell: a webhook about a dead webhook would reach nobody. Details name
-- hosts, never whole addresses, which may carry a secret in path or query.
CREATE TABLE "timeline_entries" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" TEXT NOT NULL,
    "receiver_id" UUID,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "timeline_entries_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "timeline_entries_merchant_id_mode_id_idx" ON "timeline_entries"("merchant_id", "mode", "id" DESC);
CREATE INDEX "timeline_entries_created_at_idx" ON "timeline_entries"("created_at");
ALTER TABLE "timeline_entries" ADD CONSTRAINT "timeline_entries_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "timeline_entries" ADD CONSTRAINT "timeline_entries_receiver_id_mode_fkey" FOREIGN KEY ("receiver_id", "mode") REFERENCES "receivers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Attempts are numbered through; a delivery that is sent again starts the schedule anew after those made before.
ALTER TABLE "deliveries"
  ADD COLUMN "attempts_before" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "given_up_because" TEXT;

ALTER TABLE deliveries
  ADD CONSTRAINT deliveries_attempts CHECK (attempts_before BETWEEN 0 AND attempt_count),
  ADD CONSTRAINT deliveries_given_up CHECK (
    given_up_because IS NULL
    OR status = 'failed' AND given_up_because IN ('attempts_over', 'gone', 'receiver_disabled', 'receiver_removed'));

-- Lists of a receiver's deliveries, and those that must follow when its state changes.
CREATE INDEX deliveries_of_receiver ON deliveries (receiver_id, created_at DESC, id DESC) WHERE receiver_id IS NOT NULL;
CREATE INDEX deliveries_waiting ON deliveries (receiver_id) WHERE status IN ('pending', 'held') AND receiver_id IS NOT NULL;

-- Whoever pauses, resumes, disables, enables or removes a receiver changes that one row; what waits for it follows in
-- batches (below). Going on begins a new streak: what failed before says nothing about now. Removed is removed.
CREATE FUNCTION change_receiver_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.removed_at IS NOT NULL AND NEW.removed_at IS DISTINCT FROM OLD.removed_at THEN
    RAISE EXCEPTION 'receiver % stays removed', OLD.id USING ERRCODE = 'TG092';
  END IF;
  IF (NEW.paused_at IS NULL, NEW.disabled_at IS NULL, NEW.removed_at IS NULL)
     IS DISTINCT FROM (OLD.paused_at IS NULL, OLD.disabled_at IS NULL, OLD.removed_at IS NULL) THEN
    NEW.deliveries_lag := true;
  END IF;
  IF (OLD.paused_at IS NOT NULL AND NEW.paused_at IS NULL) OR (OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL) THEN
    NEW.failures_in_row := 0;
    NEW.failing_since := NULL;
    NEW.warned_at := NULL;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER receivers_change_state BEFORE UPDATE ON receivers FOR EACH ROW EXECUTE FUNCTION change_receiver_state();

-- Lets the waiting deliveries of one receiver follow its state, up to p_limit of them: those of a disabled or removed
-- receiver are given up, those of a paused one are held until it is resumed, and held ones of an active receiver are
-- due at once. Answers how many followed, null when no receiver waits for it. The receiver's row lock keeps its state
-- as it is until the commit; deliveries that somebody has locked are just being claimed, and are decided by the worker.
CREATE FUNCTION follow_receiver_state(p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  r receivers;
  target delivery_status;
  followed integer;
BEGIN
  SELECT * INTO r FROM receivers WHERE deliveries_lag ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  target := CASE WHEN r.disabled_at IS NOT NULL OR r.removed_at IS NOT NULL THEN 'failed'
    WHEN r.paused_at IS NOT NULL THEN 'held' ELSE 'pending' END;
  UPDATE deliveries SET
      status = target,
      settled_at = CASE WHEN target = 'failed' THEN clock_timestamp() END,
      given_up_because = CASE WHEN target = 'failed' THEN
        CASE WHEN r.removed_at IS NOT NULL THEN 'receiver_removed' ELSE 'receiver_disabled' END END,
      next_attempt_at = CASE WHEN target = 'pending' THEN clock_timestamp() ELSE next_attempt_at END
    WHERE id IN (SELECT id FROM deliveries WHERE receiver_id = r.id AND status IN ('pending', 'held') AND status <> target
                 LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED);
  GET DIAGNOSTICS followed = ROW_COUNT;
  IF followed < p_limit THEN
    UPDATE receivers SET deliveries_lag = false WHERE id = r.id;
  END IF;
  RETURN followed;
END $$;

-- Holds a queued delivery whose receiver is paused; answers false when it was resumed meanwhile. FOR SHARE: a resume
-- that comes later waits for this commit, and then finds the delivery.
CREATE FUNCTION hold_delivery(p_delivery uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM receivers r JOIN deliveries d ON d.receiver_id = r.id
    WHERE d.id = p_delivery AND r.paused_at IS NOT NULL FOR SHARE OF r;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE deliveries SET status = 'held' WHERE id = p_delivery AND status = 'queued';
  RETURN FOUND;
END $$;

-- An endpoint that is disabled or removed gets nothing more. Whether it is paused is not asked here: the worker asks, so
-- that no payment waits for a receiver's row.
CREATE OR REPLACE FUNCTION write_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deliveries (mode, event_id, credential_id, address)
    SELECT NEW.mode, NEW.id, o.credential_id, o.callback_url FROM orders o
    WHERE o.id = NEW.order_id AND o.callback_url IS NOT NULL;
  INSERT INTO deliveries (mode, event_id, receiver_id, address)
    SELECT NEW.mode, NEW.id, r.id, r.address FROM receivers r
    WHERE r.merchant_id = NEW.merchant_id AND r.mode = NEW.mode AND r.disabled_at IS NULL AND r.removed_at IS NULL
      AND NEW.name = ANY (r.events);
  RETURN NULL;
END $$;
