-- Checks on administrator_requests.
ALTER TABLE administrator_requests
  ADD CONSTRAINT administrator_requests_email_lower_case CHECK (email = lower(email)),
  ADD CONSTRAINT administrator_requests_decided CHECK (
    (status = 'pending') = (decided_by_id IS NULL) AND (status = 'pending') = (decided_at IS NULL)),
  ADD CONSTRAINT administrator_requests_two_administrators CHECK (status <> 'approved' OR decided_by_id <> requested_by_id);
