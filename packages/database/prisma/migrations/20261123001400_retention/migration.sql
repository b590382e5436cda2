-- How long webhooks are kept. Attempts and events are by far the most rows, and of little use after a while; the books
-- themselves are kept for ever. Until when events were pruned is on record, so that the proof of the ledger knows which
-- changes need not show their event any more, and so that nothing younger can go.

CREATE TABLE "event_retention" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "pruned_before" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "event_retention_pkey" PRIMARY KEY ("id")
);
INSERT INTO event_retention (pruned_before) VALUES ('2000-01-01T00:00:00Z');

CREATE INDEX "events_created_at_idx" ON "events"("created_at");
CREATE INDEX "attempts_started_at_idx" ON "attempts"("started_at");

-- The one row moves forward only, and never to less than 30 days ago, whatever a setting says.
CREATE FUNCTION guard_event_retention() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR NEW.id <> OLD.id OR NEW.pruned_before < OLD.pruned_before
     OR NEW.pruned_before > clock_timestamp() - interval '30 days' THEN
    RAISE EXCEPTION 'events are kept for 30 days at least, and what was pruned stays so' USING ERRCODE = 'TG090';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER event_retention_is_guarded BEFORE INSERT OR UPDATE OR DELETE ON event_retention FOR EACH ROW EXECUTE FUNCTION guard_event_retention();
CREATE TRIGGER event_retention_is_kept BEFORE TRUNCATE ON event_retention FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Events stay final, but for those older than what is on record as pruned.
DROP TRIGGER events_are_final ON events;
CREATE TRIGGER events_are_final BEFORE UPDATE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION keep_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM event_retention WHERE OLD.created_at < pruned_before) THEN
    RAISE EXCEPTION 'event % is kept', OLD.id USING ERRCODE = 'TG090';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER events_are_kept BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION keep_event();

-- Deletes up to p_limit events older than p_days, with their deliveries and attempts; none that still has something to
-- deliver. Answers how many.
CREATE FUNCTION prune_events(p_days integer, p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  horizon timestamptz := clock_timestamp() - p_days * interval '1 day';
  chosen text[];
BEGIN
  UPDATE event_retention SET pruned_before = horizon WHERE pruned_before < horizon;
  -- A delivery that is sent again at this moment is locked by whoever does it, or waits for this and finds it gone.
  chosen := ARRAY(SELECT e.id FROM events e WHERE e.created_at < horizon
    AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id AND d.status IN ('pending', 'queued', 'held'))
    ORDER BY e.created_at LIMIT p_limit FOR UPDATE SKIP LOCKED);
  PERFORM FROM deliveries WHERE event_id = ANY (chosen) ORDER BY id FOR UPDATE;
  chosen := ARRAY(SELECT c.event_id FROM unnest(chosen) AS c (event_id) WHERE NOT EXISTS (
    SELECT FROM deliveries d WHERE d.event_id = c.event_id AND d.status IN ('pending', 'queued', 'held')));
  DELETE FROM attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE event_id = ANY (chosen));
  DELETE FROM deliveries WHERE event_id = ANY (chosen);
  DELETE FROM events WHERE id = ANY (chosen);
  RETURN cardinality(chosen);
END $$;

-- An order needs its event in the transaction that makes it paid, expired, cancelled or wholly refunded. A refund that
-- only begins or ends to wait changes the state as well, years later perhaps, and asks for no event that is long pruned.
CREATE OR REPLACE FUNCTION require_order_report() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  expected text := CASE WHEN NEW.state = 'REFUNDED' THEN 'pos.order.refunded' ELSE 'pos.order.' || lower(NEW.status::text) END;
BEGIN
  IF (NEW.status <> OLD.status OR NEW.state = 'REFUNDED') AND NOT EXISTS (SELECT FROM events WHERE order_id = NEW.id AND name = expected) THEN
    RAISE EXCEPTION 'order % became % without the event %', NEW.id, NEW.state, expected USING ERRCODE = 'TG096';
  END IF;
  IF OLD.status = 'PENDING' AND NEW.status = 'PAID' AND NOT EXISTS (
      SELECT FROM transfers t
      JOIN entries debit ON debit.transfer_id = t.id AND debit.account_id = NEW.payer_account_id AND debit.amount = -NEW.amount
      JOIN entries credit ON credit.transfer_id = t.id AND credit.amount = NEW.amount AND credit.currency = NEW.currency
      JOIN accounts merchant ON merchant.id = credit.account_id AND merchant.merchant_id = NEW.merchant_id AND merchant.kind = 'merchant'
      WHERE t.id = NEW.transfer_id AND t.kind = 'payment') THEN
    RAISE EXCEPTION 'order % became PAID without its payment', NEW.id USING ERRCODE = 'TG096';
  END IF;
  RETURN NULL;
END $$;
