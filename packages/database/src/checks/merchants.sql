-- Checks on merchants. The notice address is a single address, without characters that could start another mail
-- header.
ALTER TABLE merchants
  ADD CONSTRAINT merchants_rate_limits CHECK (
  coalesce(pay_requests_a_minute, 1) > 0 AND coalesce(partner_requests_a_minute, 1) > 0),
  ADD CONSTRAINT merchants_notice_email CHECK (
    notice_email ~ '^[^[:space:][:cntrl:],;:<>()"@]+@[^[:space:][:cntrl:],;:<>()"@]+$' AND length(notice_email) <= 254);
