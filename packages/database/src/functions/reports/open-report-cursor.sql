-- Opens the report cursor of each new merchant wallet or hold account. It starts at the day of creation.
CREATE OR REPLACE FUNCTION open_report_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_cursors (account_id) VALUES (NEW.id);
  RETURN NULL;
END $$;

CREATE TRIGGER wallets_come_with_a_report_cursor AFTER INSERT ON accounts FOR EACH ROW WHEN (NEW.merchant_id IS NOT NULL)
  EXECUTE FUNCTION open_report_cursor();
