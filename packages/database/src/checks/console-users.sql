-- Checks on console_users.
ALTER TABLE console_users
  ADD CONSTRAINT console_users_email_lower_case CHECK (email = lower(email));
