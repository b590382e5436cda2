-- Every merchant wallet and hold account is created with a report cursor, which starts at the day of its creation.
CREATE OR REPLACE FUNCTION open_report_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_cursors (account_id) VALUES (NEW.id);
  RETURN NULL;
END $$;

CREATE TRIGGER wallets_come_with_a_report_cursor AFTER INSERT ON accounts FOR EACH ROW WHEN (NEW.merchant_id IS NOT NULL)
  EXECUTE FUNCTION open_report_cursor();
