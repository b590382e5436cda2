-- Checks on console_views.
ALTER TABLE console_views
  ADD CONSTRAINT console_views_list CHECK (list IN ('orders', 'refunds', 'payouts')),
  ADD CONSTRAINT console_views_named CHECK (name <> '' AND length(name) <= 60),
  ADD CONSTRAINT console_views_query CHECK (query <> '' AND length(query) <= 4000);
