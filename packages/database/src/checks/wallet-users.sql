-- Checks on wallet_users.
ALTER TABLE wallet_users
  ADD CONSTRAINT wallet_users_reachable CHECK (test_of_merchant_id IS NOT NULL OR phone IS NOT NULL OR email IS NOT NULL),
  ADD CONSTRAINT wallet_users_email_lower_case CHECK (email = lower(email)),
  ADD CONSTRAINT wallet_users_phone_e164 CHECK (phone ~ '^\+[1-9][0-9]{4,14}$'),
  ADD CONSTRAINT wallet_users_test_in_sandbox CHECK (test_of_merchant_id IS NULL OR mode = 'sandbox'),
  ADD CONSTRAINT wallet_users_open_in_sandbox CHECK (open_in IS NULL OR (open_in = 'sandbox' AND mode = 'sandbox' AND test_of_merchant_id IS NULL));
