-- Checks on credentials.
ALTER TABLE credentials
  ADD CONSTRAINT credentials_client_signs CHECK ((kind = 'client') = (client_id IS NOT NULL AND secret_ciphertext IS NOT NULL AND encryption_key_id IS NOT NULL)),
  ADD CONSTRAINT credentials_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
  ADD CONSTRAINT credentials_order_only_are_clients CHECK (NOT order_only OR (kind = 'client' AND NOT read_only)),
  ADD CONSTRAINT credentials_reports_only_are_readers CHECK (NOT reports_only OR (kind = 'client' AND read_only));
