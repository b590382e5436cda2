-- Which credential of Tillgate a payment was begun with: only its own secrets prove what is told of it. Null for what was
-- begun before this was kept.
ALTER TABLE attempts
  ADD COLUMN mode text CHECK (mode IN ('sandbox', 'live')),
  ADD COLUMN client_id text,
  ADD CONSTRAINT attempts_credential CHECK ((mode IS NULL) = (client_id IS NULL));
