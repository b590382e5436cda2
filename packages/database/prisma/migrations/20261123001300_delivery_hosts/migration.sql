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

-- What an attempt says about its host. A success that took long says neither. Looks before it writes: a healthy host's
-- row is only read, so its deliveries do not queue up for it.
CREATE FUNCTION record_host(p_host text, p_error_kind text, p_latency_ms integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  slow_after_ms CONSTANT integer := 2000;
  is_slow boolean := p_latency_ms > slow_after_ms OR p_error_kind IS NOT DISTINCT FROM 'timeout';
BEGIN
  -- Nothing was sent, or it was answered late but well.
  IF p_error_kind IS NOT DISTINCT FROM 'no_key' OR (is_slow AND p_error_kind IS NULL) THEN
    RETURN;
  END IF;
  IF NOT EXISTS (SELECT FROM delivery_hosts WHERE host = p_host AND prompt = NOT is_slow) THEN
    INSERT INTO delivery_hosts (host, prompt) VALUES (p_host, NOT is_slow)
    ON CONFLICT (host) DO UPDATE SET prompt = excluded.prompt, changed_at = excluded.changed_at;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION settle_attempt(
  p_delivery uuid, p_number integer, p_status delivery_status, p_next_delay_ms double precision, p_given_up_because text,
  p_address text, p_host text, p_started_at timestamptz, p_latency_ms integer, p_http_status integer, p_error_kind text,
  p_answer_start text, p_request_headers json) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  d deliveries;
BEGIN
  UPDATE deliveries SET
      status = p_status,
      attempt_count = p_number,
      address = p_address,
      given_up_because = p_given_up_because,
      next_attempt_at = CASE WHEN p_status = 'pending' THEN clock_timestamp() + p_next_delay_ms * interval '1 millisecond' ELSE next_attempt_at END,
      settled_at = CASE WHEN p_status = 'pending' THEN NULL ELSE clock_timestamp() END
    WHERE id = p_delivery AND status = 'queued' AND attempt_count = p_number - 1 RETURNING * INTO d;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO attempts (delivery_id, number, started_at, latency_ms, http_status, error_kind, answer_start, request_headers)
    VALUES (p_delivery, p_number, p_started_at, p_latency_ms, p_http_status, p_error_kind, p_answer_start, p_request_headers);
  IF d.receiver_id IS NOT NULL AND p_error_kind IS NULL THEN
    PERFORM record_receiver_success(d.receiver_id);
  ELSIF d.receiver_id IS NOT NULL THEN
    PERFORM record_receiver_failure(d.receiver_id, p_host, p_error_kind, p_http_status, p_started_at);
  ELSIF p_status = 'failed' THEN
    INSERT INTO timeline_entries (merchant_id, mode, kind, details)
      SELECT e.merchant_id, e.mode, 'delivery.given_up', jsonb_build_object('host', p_host, 'delivery_id', d.id, 'event_id', e.id,
        'event', e.name, 'order_id', e.order_id, 'attempts', p_number, 'because', p_given_up_because, 'error_kind', p_error_kind,
        'http_status', p_http_status)
      FROM events e WHERE e.id = d.event_id;
  END IF;
  -- Last: a host is shared by merchants, so its row is locked for as short as can be.
  PERFORM record_host(p_host, p_error_kind, p_latency_ms);
  RETURN true;
END $$;
