-- Records an attempt, the new state of its delivery and the receiver's health. Returns false and writes nothing if the delivery is no
-- longer queued or its attempt count has changed. A callback_url has no receiver, so a permanently failed delivery to it is recorded in the
-- merchant's timeline.
CREATE OR REPLACE FUNCTION settle_attempt(
  p_delivery uuid, p_number integer, p_status delivery_status, p_next_delay_ms double precision, p_given_up_because text,
  p_address text, p_host text, p_started_at timestamptz, p_latency_ms integer, p_http_status integer, p_error_kind text,
  p_answer_start text, p_request_headers json) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  -- Retries join the backlog after this many failures.
  backlog_after CONSTANT integer := 3;
  d deliveries;
BEGIN
  UPDATE deliveries SET
      status = p_status,
      attempt_count = p_number,
      address = p_address,
      given_up_because = p_given_up_because,
      next_attempt_at = CASE WHEN p_status = 'pending' THEN clock_timestamp() + p_next_delay_ms * interval '1 millisecond' ELSE next_attempt_at END,
      in_backlog = in_backlog OR p_number - attempts_before >= backlog_after,
      settled_at = CASE WHEN p_status = 'pending' THEN NULL ELSE clock_timestamp() END,
      leased_by = NULL, leased_at = NULL, leased_until = NULL, leased_as = NULL, leased_host = NULL
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
  PERFORM record_response(d.queue_id, d.lane_id, p_error_kind, p_latency_ms);
  RETURN true;
END $$;
