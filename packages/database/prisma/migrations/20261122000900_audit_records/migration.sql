-- What administrators change is recorded in the transaction of the change. One chain per merchant, and one for what
-- belongs to no merchant: each record's hash covers the hash of the one before it, so that a record that is changed, put
-- between or taken out shows.
CREATE TABLE "audit_records" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID,
    "number" INTEGER NOT NULL,
    "administrator_id" UUID NOT NULL,
    "administrator" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "previous_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_records_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_administrator_id_fkey" FOREIGN KEY ("administrator_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE UNIQUE INDEX audit_records_one_chain ON audit_records (merchant_id, number) WHERE merchant_id IS NOT NULL;
CREATE UNIQUE INDEX audit_records_one_house_chain ON audit_records (number) WHERE merchant_id IS NULL;

-- SHA-256 over the previous hash and all that the record says; JSON keeps the parts apart.
CREATE FUNCTION audit_hash(r audit_records) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(r.previous_hash || convert_to(json_build_array(
    r.merchant_id, r.number, r.administrator_id, r.administrator, r.action, r.subject, r.details,
    to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text, 'UTF8'))
$$;

-- Whoever inserts says who did what; place, time and hashes are decided here, one writer of a chain after the other.
-- TG063: not an administrator.
CREATE FUNCTION chain_audit_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  earlier audit_records;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('audit chain ' || coalesce(NEW.merchant_id::text, ''), 0));
  IF NEW.merchant_id IS NULL THEN
    SELECT * INTO earlier FROM audit_records WHERE merchant_id IS NULL ORDER BY number DESC LIMIT 1;
  ELSE
    SELECT * INTO earlier FROM audit_records WHERE merchant_id = NEW.merchant_id ORDER BY number DESC LIMIT 1;
  END IF;
  SELECT email INTO NEW.administrator FROM console_users WHERE id = NEW.administrator_id AND role = 'administrator';
  IF NOT FOUND THEN
    RAISE EXCEPTION '% is no administrator', NEW.administrator_id USING ERRCODE = 'TG063';
  END IF;
  NEW.number := coalesce(earlier.number, 0) + 1;
  NEW.previous_hash := coalesce(earlier.hash, sha256(''));
  NEW.created_at := clock_timestamp();
  NEW.hash := audit_hash(NEW);
  RETURN NEW;
END $$;

CREATE TRIGGER audit_records_are_chained BEFORE INSERT ON audit_records FOR EACH ROW EXECUTE FUNCTION chain_audit_record();

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: what was done stays recorded', TG_OP, TG_TABLE_NAME USING ERRCODE = 'TG090';
END $$;

CREATE TRIGGER audit_records_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_records
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Records a change. Called last in its transaction, after all row locks.
CREATE FUNCTION record_change(p_merchant_id uuid, p_administrator_id uuid, p_action text, p_subject text, p_details json)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_records (merchant_id, administrator_id, action, subject, details)
    VALUES (p_merchant_id, p_administrator_id, p_action, p_subject, p_details::text)
$$;
