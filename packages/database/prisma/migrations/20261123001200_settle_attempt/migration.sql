-- What an attempt tells about its receiver, written in the attempt's own transaction.

-- A success ends a streak of failures. Of a healthy receiver only the time is kept, and at most every five seconds: its
-- deliveries must not queue up for one row.
CREATE FUNCTION record_receiver_success(p_receiver uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE receivers SET last_success_at = clock_timestamp(), failures_in_row = 0, failing_since = NULL, warned_at = NULL
  WHERE id = p_receiver
    AND (failures_in_row > 0 OR last_success_at IS NULL OR last_success_at < clock_timestamp() - interval '5 seconds')
$$;

-- A failure counts under the row's lock, so of all processes exactly one takes the streak to the number that warns, and
-- exactly one finds it long enough to disable the receiver. 410 disables at once.
CREATE FUNCTION record_receiver_failure(p_receiver uuid, p_host text, p_kind text, p_http_status integer, p_started_at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  warn_after CONSTANT integer := 5;
  disable_after CONSTANT interval := '5 days';
  r receivers;
  reason text;
BEGIN
  UPDATE receivers SET
      last_failure_at = clock_timestamp(), last_failure_kind = p_kind, last_failure_status = p_http_status,
      failures_in_row = failures_in_row + 1, failing_since = coalesce(failing_since, p_started_at),
      warned_at = CASE WHEN failures_in_row + 1 = warn_after THEN clock_timestamp() ELSE warned_at END
    WHERE id = p_receiver AND removed_at IS NULL RETURNING * INTO r;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF r.failures_in_row = warn_after THEN
    INSERT INTO timeline_entries (merchant_id, mode, kind, receiver_id, details)
    VALUES (r.merchant_id, r.mode, 'receiver.warning', r.id, jsonb_build_object('host', p_host, 'error_kind', p_kind,
      'http_status', p_http_status, 'failures_in_row', r.failures_in_row, 'failing_since', wire_time(r.failing_since)));
  END IF;
  reason := CASE WHEN p_http_status = 410 THEN 'gone'
    WHEN r.failures_in_row >= warn_after AND r.failing_since <= clock_timestamp() - disable_after THEN 'failing' END;
  IF reason IS NOT NULL AND r.disabled_at IS NULL THEN
    UPDATE receivers SET disabled_at = clock_timestamp(), disabled_reason = reason WHERE id = r.id;
    INSERT INTO timeline_entries (merchant_id, mode, kind, receiver_id, details)
    VALUES (r.merchant_id, r.mode, 'receiver.disabled', r.id, jsonb_build_object('host', p_host, 'reason', reason, 'error_kind', p_kind,
      'http_status', p_http_status, 'failures_in_row', r.failures_in_row, 'failing_since', wire_time(r.failing_since)));
  END IF;
END $$;

-- Records an attempt, what it makes of its delivery, and the health of its receiver. Whoever comes second finds the
-- delivery settled or its count moved on, and writes nothing: false. An order's own callback_url has no receiver: the
-- merchant hears of it when a delivery there is given up.
CREATE FUNCTION settle_attempt(
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
  RETURN true;
END $$;
