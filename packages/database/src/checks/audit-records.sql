-- A change has one author: a console user, or a client credential.
ALTER TABLE audit_records ADD CONSTRAINT audit_records_one_author CHECK (num_nonnulls(administrator_id, credential_id) = 1);
