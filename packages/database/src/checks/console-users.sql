-- What a row of console_users may be.
ALTER TABLE console_users
  ADD CONSTRAINT console_users_email_lower_case CHECK (email = lower(email));
