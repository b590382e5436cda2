-- The span of OpenTelemetry that asked for the payout: its approval and the attempts to deliver its events continue its trace.
ALTER TABLE payouts ADD COLUMN traceparent text;
