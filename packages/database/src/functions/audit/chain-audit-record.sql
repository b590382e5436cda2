-- Sets the number, time and hashes of a record, and verifies that the author may make the change. A lock allows one writer per chain at a
-- time. Members have the rights of their role, as the contract lists them. Users may revoke keys that they created even without that right,
-- because the reuse of a shop's connection code revokes the keys issued for it on behalf of the user who created them. Changes that are not
-- listed here require an administrator; approvals of refunds, payouts and funds rely on this. TG063: the author is neither an active
-- administrator nor a member or credential of this merchant with the right to make the change.
CREATE OR REPLACE FUNCTION chain_audit_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  earlier audit_records;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('audit chain ' || coalesce(NEW.merchant_id::text, ''), 0));
  IF NEW.merchant_id IS NULL THEN
    SELECT * INTO earlier FROM audit_records WHERE merchant_id IS NULL ORDER BY number DESC LIMIT 1;
  ELSE
    SELECT * INTO earlier FROM audit_records WHERE merchant_id = NEW.merchant_id ORDER BY number DESC LIMIT 1;
  END IF;
  IF NEW.credential_id IS NOT NULL THEN
    SELECT c.client_id INTO NEW.administrator FROM credentials c WHERE c.id = NEW.credential_id AND c.merchant_id = NEW.merchant_id
      AND c.kind = 'client' AND NOT c.read_only AND NOT c.order_only AND c.revoked_at IS NULL
      AND (NEW.action LIKE 'receiver.%' OR (NEW.action LIKE 'test_payout.%' AND c.mode = 'sandbox'))
      AND NEW.details::json ->> 'mode' = c.mode::text;
  ELSE
    SELECT u.email INTO NEW.administrator FROM console_users u WHERE u.id = NEW.administrator_id AND ((NEW.action = 'credential.revoke'
      AND EXISTS (SELECT FROM credentials c WHERE c.id::text = NEW.subject AND c.merchant_id = NEW.merchant_id AND c.created_by_id = u.id))
    OR u.disabled_at IS NULL AND (u.role = 'administrator' OR EXISTS (SELECT FROM console_members m WHERE m.user_id = u.id AND m.merchant_id = NEW.merchant_id AND (
        ((NEW.action LIKE 'receiver.%' OR NEW.action LIKE 'till.%') AND m.role IN ('owner', 'developer'))
        OR (NEW.action LIKE 'member.%' AND m.role = 'owner')
        OR (NEW.action IN ('merchant.notice_email', 'merchant.mails', 'merchant.brand', 'merchant.embed_origins') AND m.role = 'owner')
        OR ((NEW.action = 'order.cancel' OR NEW.action LIKE 'payment_link.%') AND m.role IN ('owner', 'developer', 'finance'))
        OR ((NEW.action IN ('refund.create', 'payout.create', 'shop.remove') OR NEW.action LIKE 'payout_batch.%') AND m.role IN ('owner', 'finance'))
        OR (NEW.action = 'wallet.top_up' AND m.role IN ('owner', 'developer', 'finance'))
        OR (NEW.action = 'wallet.open' AND NEW.details::json ->> 'mode' = 'sandbox' AND m.role IN ('owner', 'developer', 'finance'))
        OR (NEW.action LIKE 'credential.%' AND m.role = 'owner')
        OR (NEW.action IN ('credential.rename', 'credential.revoke') AND m.role = 'developer')
        OR (NEW.action IN ('credential.create', 'credential.rotate') AND m.role = 'developer'
          AND EXISTS (SELECT FROM credentials c WHERE c.id::text = NEW.subject AND c.merchant_id = NEW.merchant_id AND (c.read_only OR c.order_only)))
        OR (NEW.action IN ('credential.create', 'credential.rotate', 'credential.rename', 'credential.revoke') AND m.role = 'finance'
          AND EXISTS (SELECT FROM credentials c WHERE c.id::text = NEW.subject AND c.merchant_id = NEW.merchant_id AND c.reports_only))
        OR (NEW.action LIKE 'console_user.%' AND NEW.subject = u.id::text)))));
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'author % has no right to make this change', coalesce(NEW.administrator_id, NEW.credential_id) USING ERRCODE = 'TG063';
  END IF;
  NEW.number := coalesce(earlier.number, 0) + 1;
  NEW.previous_hash := coalesce(earlier.hash, sha256(''));
  NEW.created_at := clock_timestamp();
  NEW.hash := audit_hash(NEW);
  RETURN NEW;
END $$;

CREATE TRIGGER audit_records_are_chained BEFORE INSERT ON audit_records FOR EACH ROW EXECUTE FUNCTION chain_audit_record();
