-- The span of OpenTelemetry that asked for the order: whatever happens to it later continues its trace.
ALTER TABLE orders ADD COLUMN traceparent text;
