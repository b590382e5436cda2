-- Which credential of Tillgate a payment was begun with: only its own secrets prove what is told of it. Null for what was
-- begun before this was kept.
ALTER TABLE attempts ADD COLUMN mode TEXT CHECK (mode IN ('sandbox', 'live'));
ALTER TABLE attempts ADD COLUMN client_id TEXT CHECK ((mode IS NULL) = (client_id IS NULL));
