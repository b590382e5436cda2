-- Counts a failure under the row's lock, so that only one process writes the warning and only one disables the receiver. A receiver is
-- disabled after at least five consecutive failures over at least five days, or immediately after a 410. Writes nothing for a removed
-- receiver.
CREATE OR REPLACE FUNCTION record_receiver_failure(p_receiver uuid, p_host text, p_kind text, p_http_status integer, p_started_at timestamptz)
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
      'http_status', p_http_status, 'failures_in_row', r.failures_in_row, 'failing_since', wire_time(r.failing_since),
      'disabled_from', wire_time(r.failing_since + disable_after)));
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
