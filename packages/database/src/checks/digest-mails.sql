-- Checks on digest_mails.
ALTER TABLE digest_mails
  ADD CONSTRAINT digest_mails_settled CHECK ((status = 'waiting') = (settled_at IS NULL)),
  ADD CONSTRAINT digest_mails_attempts CHECK (attempts >= 0),
  ADD CONSTRAINT digest_mails_lease CHECK ((leased_by IS NULL) = (leased_until IS NULL) AND (leased_by IS NULL OR status = 'waiting')),
  ADD CONSTRAINT digest_mails_of_a_merchant CHECK (topic = 'approvals' OR merchant_id IS NOT NULL);
