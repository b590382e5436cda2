-- Writes a console notice about a failing or disabled endpoint, and e-mails to the merchant's notice address or, without one, to at most 20
-- of its active console users. Repeated warnings about an endpoint are e-mailed at most once a day.
CREATE OR REPLACE FUNCTION write_notice() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- A merchant with more console users can set a notice address instead.
  most_mails CONSTANT integer := 20;
  warn_again_after CONSTANT interval := '1 day';
BEGIN
  INSERT INTO notices (id, merchant_id, mode) VALUES (NEW.id, NEW.merchant_id, NEW.mode);
  IF NEW.kind = 'receiver.warning' AND EXISTS (
      SELECT FROM notices n JOIN timeline_entries t ON t.id = n.id JOIN notice_mails m ON m.notice_id = n.id
      WHERE n.merchant_id = NEW.merchant_id AND n.mode = NEW.mode AND t.receiver_id = NEW.receiver_id
        AND t.kind = 'receiver.warning' AND t.created_at > clock_timestamp() - warn_again_after) THEN
    RETURN NULL;
  END IF;
  INSERT INTO notice_mails (notice_id, address)
    SELECT NEW.id, p.address FROM (
      SELECT m.notice_email AS address FROM merchants m WHERE m.id = NEW.merchant_id AND m.notice_email IS NOT NULL
      UNION
      SELECT u.email FROM console_users u JOIN console_members c ON c.user_id = u.id JOIN merchants m ON m.id = c.merchant_id
      WHERE m.id = NEW.merchant_id AND m.notice_email IS NULL AND u.disabled_at IS NULL) AS p
    ORDER BY p.address LIMIT most_mails;
  RETURN NULL;
END $$;

CREATE TRIGGER timeline_entries_are_noticed AFTER INSERT ON timeline_entries FOR EACH ROW
  WHEN (NEW.kind IN ('receiver.warning', 'receiver.disabled')) EXECUTE FUNCTION write_notice();
