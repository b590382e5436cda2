-- What a row of merchants may be.
ALTER TABLE merchants
  ADD CONSTRAINT merchants_rate_limits CHECK (
  coalesce(pay_requests_a_minute, 1) > 0 AND coalesce(partner_requests_a_minute, 1) > 0);
