-- Checks on approval_requests.
ALTER TABLE approval_requests
  ADD CONSTRAINT approval_requests_kind CHECK (
    CASE kind WHEN 'single_limit' THEN account_id IS NULL AND external_reference IS NULL AND transfer_id IS NULL AND amount >= 0
      ELSE account_id IS NOT NULL AND external_reference IS NOT NULL AND amount > 0 END),
  ADD CONSTRAINT approval_requests_decided CHECK (
    (status = 'pending') = (decided_by_id IS NULL) AND (status = 'pending') = (decided_at IS NULL)),
  ADD CONSTRAINT approval_requests_two_administrators CHECK (status <> 'approved' OR decided_by_id <> requested_by_id),
  ADD CONSTRAINT approval_requests_moved_money CHECK ((transfer_id IS NOT NULL) = (status = 'approved' AND kind <> 'single_limit'));
