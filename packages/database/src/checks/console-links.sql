-- Checks on console_links. A password-reset link has a user; an invitation has an e-mail address, a merchant, a role and an inviter; a
-- sign-up link has an e-mail address.
ALTER TABLE console_links
  ADD CONSTRAINT console_links_sealed_whole CHECK ((token_ciphertext IS NULL) = (encryption_key_id IS NULL)),
  ADD CONSTRAINT console_links_email_lower_case CHECK (email = lower(email)),
  ADD CONSTRAINT console_links_by_kind CHECK (CASE kind::text
    WHEN 'password' THEN user_id IS NOT NULL AND num_nonnulls(email, merchant_id, role, invited_by_id) = 0
    WHEN 'sign_up' THEN email IS NOT NULL AND num_nonnulls(user_id, merchant_id, role, invited_by_id) = 0
    ELSE user_id IS NULL AND num_nonnulls(email, merchant_id, role, invited_by_id) = 4 END),
  ADD CONSTRAINT console_links_next_of_sign_up CHECK (next_path IS NULL OR kind::text = 'sign_up');
