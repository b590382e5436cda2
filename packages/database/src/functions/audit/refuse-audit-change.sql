-- What was done stays recorded.
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: what was done stays recorded', TG_OP, TG_TABLE_NAME USING ERRCODE = 'TG090';
END $$;

CREATE TRIGGER audit_records_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_records
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER approval_requests_are_kept BEFORE DELETE OR TRUNCATE ON approval_requests FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER administrator_requests_are_kept BEFORE DELETE OR TRUNCATE ON administrator_requests FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
