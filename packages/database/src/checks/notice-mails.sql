-- Checks on notice_mails.
ALTER TABLE notice_mails
  ADD CONSTRAINT notice_mails_settled CHECK ((status = 'waiting') = (settled_at IS NULL)),
  ADD CONSTRAINT notice_mails_attempts CHECK (attempts >= 0),
  ADD CONSTRAINT notice_mails_lease CHECK ((leased_by IS NULL) = (leased_until IS NULL) AND (leased_by IS NULL OR status = 'waiting'));
