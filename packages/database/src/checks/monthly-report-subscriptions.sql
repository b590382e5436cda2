-- Checks on monthly_report_subscriptions.
ALTER TABLE monthly_report_subscriptions
  ADD CONSTRAINT monthly_report_subscriptions_month CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$');
