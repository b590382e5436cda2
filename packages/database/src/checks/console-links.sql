-- What a row of console_links may be.
ALTER TABLE console_links
  ADD CONSTRAINT console_links_sealed_whole CHECK ((token_ciphertext IS NULL) = (encryption_key_id IS NULL));
